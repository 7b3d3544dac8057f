// Keys, and the fields that open in place.
(() => {
  const { closest, root } = window.wenqu;
  const composing = (event) => event.isComposing || event.keyCode === 229;

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
    const button = closest(event, "[data-edit], [data-cancel]");
    if (button) edit(button.closest(".asked, li"), "edit" in button.dataset);
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
