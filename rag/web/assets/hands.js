// What hands do: keys, copying, fields that open in place.
(() => {
  const { closest, made, root, words } = window.wenqu;
  const INDENT = "\u00a0\u00a0"; // which a line may begin with
  const composing = (event) => event.isComposing || event.keyCode === 229;

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

  function edit(holder, open) {
    const form = holder.querySelector("form.edit");
    form.hidden = !open;
    if (!open) {
      form.reset();
      holder.querySelector("[data-edit]").focus();
      return;
    }
    const field = form.querySelector("textarea, input");
    field.focus();
    field.select();
  }

  document.addEventListener("click", (event) => {
    const button = closest(event, "[data-copy], [data-edit], [data-cancel]");
    if (!button) return;
    const { copy: copies, edit: edits, cancel } = button.dataset;
    if (copies !== undefined) copy(button);
    else if (edits !== undefined) edit(button.closest(".asked, li"), true);
    else if (cancel !== undefined) edit(button.closest(".asked, li"), false);
  });

  document.addEventListener("focusout", (event) => {
    const form = closest(event, "#conversations form.edit");
    if (form && !form.contains(event.relatedTarget)) form.hidden = true;
  });

  function escape(event) {
    const form = closest(event, "form.edit");
    const unfolded = document.querySelector(".badge[open], #head details[open]");
    const uncover = window.wenqu.cover();
    if (unfolded) {
      unfolded.open = false;
      unfolded.querySelector("summary").focus();
    } else if (form) edit(form.closest(".asked, li"), false);
    // Who lays something away does not mean the answer behind it.
    else if (uncover) uncover();
    else if (window.wenqu.isInspecting()) window.wenqu.closeFile();
    // Nor does who gives up a field or a choice elsewhere.
    else if (closest(event, "input, select, textarea") && !closest(event, "#question")) return;
    else if (root.classList.contains("answering")) document.querySelector("#question .stop-button")?.click();
  }

  /** Arrows, Home and End lead from tab to tab, which Gradio leaves out. */
  function stroll(event) {
    const tab = closest(event, '#tabs [role="tab"]');
    if (!tab || event.altKey || event.ctrlKey || event.metaKey) return;
    const tabs = [...tab.parentElement.querySelectorAll('[role="tab"]')];
    const [here, last] = [tabs.indexOf(tab), tabs.length - 1];
    const place = { ArrowRight: here < last ? here + 1 : 0, ArrowLeft: here > 0 ? here - 1 : last, Home: 0, End: last };
    const next = tabs[place[event.key]];
    if (!next) return;
    event.preventDefault();
    next.click();
    next.focus();
  }
  document.addEventListener("keydown", stroll);

  document.addEventListener(
    "keydown",
    (event) => {
      // The Enter that picks a word in a Chinese input method must not send the question, nor its Escape stop one.
      if (composing(event)) {
        if (event.key === "Enter" || event.key === "Escape") event.stopPropagation();
        return;
      }
      if (event.key === "Escape" && !document.querySelector("dialog[open]")) escape(event);
      if (event.key !== "Enter") return;
      if (!event.shiftKey) window.wenqu.hold(event, "#question textarea");
      const field = closest(event, ".asked textarea");
      if (field && !event.shiftKey) {
        event.preventDefault();
        field.form.requestSubmit();
      }
    },
    true,
  );
})();
