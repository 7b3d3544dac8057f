// An answer goes to the clipboard as plain text.
(() => {
  const { closest, made, words } = window.wenqu;
  const INDENT = "\u00a0\u00a0"; // which a line may begin with

  /** The number of a list's item: its own, or that behind the one before. */
  function numberOf(item) {
    const before = item.previousElementSibling;
    return item.hasAttribute("value") ? item.value : before ? numberOf(before) + 1 : item.parentElement.start;
  }

  /** Write down what a list shows before an item, and how deep that stands. */
  function itemise(item) {
    const list = item.parentElement;
    const sign = list.nodeName === "OL" ? `${numberOf(item)}.` : "-";
    let depth = 0;
    for (let above = list.closest("li"); above; above = above.parentElement.closest("li")) depth += 1;
    (item.querySelector(":scope > p:first-child") ?? item).prepend(`${INDENT.repeat(depth)}${sign} `);
  }

  /** An answer as plain text, its markers as [n]: a bare number would run together with one before it.
   *  Of those that were put right, only the right ones. Formulas are copied as they were written. Below stands what
   *  the numbers are of: in a letter nothing else tells. */
  function textOf(prose) {
    const copy = prose.cloneNode(true);
    copy.querySelectorAll(".cite.corrected").forEach((marker) => marker.remove());
    const sources = new Map();
    copy.querySelectorAll(".cite").forEach((marker) => {
      const { cite, sourcePlace } = marker.dataset;
      if (sourcePlace) sources.set(Number(cite), sourcePlace);
      marker.replaceWith(`[${cite}]`);
    });
    copy.querySelectorAll("[data-latex]").forEach((formula) => formula.replaceWith(formula.dataset.latex));
    copy.querySelectorAll("li").forEach(itemise);
    // Lines and columns are told apart only where a text is laid out as it is read.
    copy.classList.add("unseen");
    prose.after(copy);
    const text = copy.innerText.replaceAll("\u00a0", " ");
    copy.remove();
    const below = [...sources].sort(([one], [other]) => one - other).map(([number, place]) => `[${number}] ${place}`);
    return [text.trimEnd(), below.join("\n")].filter(Boolean).join("\n\n");
  }

  /** Put a text into the clipboard the old way; whether that went well. */
  function select(text) {
    const field = made("textarea", "unseen");
    field.readOnly = true;
    field.value = text;
    const before = document.activeElement;
    document.body.append(field);
    field.select();
    const isDone = document.execCommand("copy");
    field.remove();
    before?.focus({ preventScroll: true });
    return isDone;
  }

  async function copy(button) {
    const answer = button.closest(".answer");
    const text = textOf(answer.querySelector(".prose"));
    answer.querySelector(".uncopied")?.remove();
    let isDone = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // On plain http there is no clipboard, and in another site's frame it is refused.
      isDone = select(text);
    }
    if (!isDone) {
      const line = made("p", "notice uncopied", words.copy_failed);
      line.setAttribute("role", "alert");
      answer.append(line);
      return;
    }
    button.classList.add("done");
    button.title = words.copied;
    window.wenqu.tell(words.copied);
    setTimeout(() => {
      button.classList.remove("done");
      button.title = words.copy;
    }, 1500);
  }

  document.addEventListener("click", (event) => {
    const button = closest(event, "[data-copy]");
    if (button) copy(button);
  });
})();
