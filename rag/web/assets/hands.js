// What hands do: keys, copying, fields that open in place.
(() => {
  const { closest, root, words } = window.wenqu;
  const composing = (event) => event.isComposing || event.keyCode === 229;

  function copy(button) {
    const text = button.closest(".answer").querySelector(".prose").innerText;
    navigator.clipboard?.writeText(text).then(() => {
      button.classList.add("done");
      button.title = words.copied;
      setTimeout(() => button.classList.remove("done"), 1500);
    });
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
    if (form) edit(form.closest(".asked, li"), false);
    else if (root.classList.contains("sheet-open")) root.classList.remove("sheet-open");
    else if (root.classList.contains("menu-open")) root.classList.remove("menu-open");
    else if (root.classList.contains("answering")) document.querySelector("#question .stop-button")?.click();
  }

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
      const field = closest(event, ".asked textarea");
      if (field && !event.shiftKey) {
        event.preventDefault();
        field.form.requestSubmit();
      }
    },
    true,
  );
})();
