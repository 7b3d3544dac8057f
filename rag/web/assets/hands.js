// What hands do: keys, copying, fields that open in place.
(() => {
  const { closest, made, root, words } = window.wenqu;
  const INDENT = "\u00a0\u00a0"; // which a line may begin with
  const composing = (event) => event.isComposing || event.keyCode === 229;

  /** Write down what a list shows before an item, and how deep that stands. */
  function itemise(item) {
    const list = item.parentElement;
    const sign = list.nodeName === "OL" ? `${list.start + [...list.children].indexOf(item)}.` : "-";
    let depth = 0;
    for (let above = list.closest("li"); above; above = above.parentElement.closest("li")) depth += 1;
    (item.querySelector(":scope > p:first-child") ?? item).prepend(`${INDENT.repeat(depth)}${sign} `);
  }

  /** An answer as plain text, its markers as [n]: a bare number would run together with one before it.
   *  Of those that were put right, only the right ones. Formulas are copied as they were written. */
  function textOf(prose) {
    const copy = prose.cloneNode(true);
    copy.querySelectorAll(".cite.corrected").forEach((marker) => marker.remove());
    copy.querySelectorAll(".cite").forEach((marker) => marker.replaceWith(`[${marker.dataset.cite}]`));
    copy.querySelectorAll("[data-latex]").forEach((formula) => formula.replaceWith(formula.dataset.latex));
    copy.querySelectorAll("li").forEach(itemise);
    // Lines and columns are told apart only where a text is laid out as it is read.
    copy.classList.add("unseen");
    prose.after(copy);
    const text = copy.innerText.replaceAll("\u00a0", " ");
    copy.remove();
    return text;
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

  const BEGINS = `#suggestions button, #question .submit-button,
    :is(#turns, #trace) :is([data-act="retry"], [data-act="branch"], [data-act="rate"], [data-edit])`;
  const ASKS = `#suggestions *, #question *, [data-act="retry"], form[data-act="edit"]`; // of all that is held
  const MOMENT = 3_000; // by then a question that was sent is seen, or was refused
  let asked = -MOMENT; // when one was sent of which nothing is seen yet
  let stopped = false; // by the reader, who need not wait for an end that may never come
  const PATIENCE = 10_000; // a way that ends in an error never arrives
  let leaving = 1; // ways to another conversation that have not arrived; the page begins with one
  let since = performance.now();
  let isAsked = false; // a question was sent on one of them
  let isOpened = false; // the page shows what there is
  let begins = null; // the button by which another conversation was begun before

  /** Keep what `selector` names from acting while an answer comes: of two at once, one could not be stopped.
   *  On the way to another conversation too: it would be done in the one that is left, and not be seen again. */
  function hold(event, selector) {
    if (closest(event, "#question .stop-button")) stopped = true;
    const begun = closest(event, selector);
    if (!begun) return;
    if (performance.now() - since > PATIENCE) leaving = 0;
    if (leaving) isAsked ||= begun.closest("#question") !== null;
    else if (stopped || !(document.querySelector("#live article") || performance.now() - asked < MOMENT)) {
      stopped = isAsked = false;
      if (begun.matches(ASKS)) asked = performance.now();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** What the page shows when it is opened may come after a conversation that is begun meanwhile, and in its place. */
  function putOff(event) {
    const button = closest(event, "#new-conversation");
    if (!button || isOpened || performance.now() > PATIENCE) return;
    begins = button;
    event.preventDefault();
    event.stopPropagation();
  }

  /** What became of a question that was sent is seen. */
  window.wenqu.settle = () => (asked = -MOMENT);
  /** The page has begun to leave a conversation. Gradio takes what it is given for the handler's own. */
  window.wenqu.leave = (...given) => {
    leaving += 1;
    since = performance.now();
    window.wenqu.followOn();
    return given;
  };
  /** The other conversation is there: a question that was sent before goes to it. */
  window.wenqu.arrive = () => {
    leaving = Math.max(0, leaving - 1);
    window.wenqu.restoreDraft();
    isOpened = true;
    if (begins) {
      const button = begins;
      begins = null;
      button.click();
      return; // a question that was sent since is for the other conversation
    }
    if (leaving || !isAsked) return;
    isAsked = false;
    // A frame for Gradio to draw what came, one for the thread to see that no answer comes any more.
    const send = () => document.querySelector("#question .submit-button")?.click();
    requestAnimationFrame(() => requestAnimationFrame(send));
  };
  document.addEventListener("click", putOff, true);
  document.addEventListener("click", (event) => hold(event, BEGINS), true);
  document.addEventListener("submit", (event) => hold(event, "#turns form"), true);

  document.addEventListener("focusout", (event) => {
    const form = closest(event, "#conversations form.edit");
    if (form && !form.contains(event.relatedTarget)) form.hidden = true;
  });

  function escape(event) {
    const form = closest(event, "form.edit");
    const unfolded = document.querySelector(".badge[open], #head details[open]");
    if (unfolded) {
      unfolded.open = false;
      unfolded.querySelector("summary").focus();
    } else if (form) edit(form.closest(".asked, li"), false);
    else if (root.classList.contains("sheet-open")) window.wenqu.raise(false);
    else if (root.classList.contains("menu-open")) document.querySelector("#menu button").click();
    // Who lays a file away does not mean the answer behind it.
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
      if (!event.shiftKey) hold(event, "#question textarea");
      const field = closest(event, ".asked textarea");
      if (field && !event.shiftKey) {
        event.preventDefault();
        field.form.requestSubmit();
      }
    },
    true,
  );
})();
