// What hands do: keys, copying, fields that open in place, the sheet of sources on a phone.
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

  function showSource(number) {
    const card = document.querySelector(`#sources [data-source="${CSS.escape(number)}"]`);
    if (!card) return;
    card.closest("details")?.setAttribute("open", "");
    document.querySelectorAll("#sources .shown").forEach((other) => other.classList.remove("shown"));
    card.classList.add("shown");
    root.classList.add("sheet-open");
    card.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }
  document.addEventListener("wenqu:cite", (event) => showSource(event.detail.number));

  document.addEventListener("click", (event) => {
    const button = closest(event, "[data-copy], [data-edit], [data-cancel], [data-sheet], .source");
    if (!button) {
      if (!closest(event, "#desk-sources, .cite, dialog")) root.classList.remove("sheet-open");
      return;
    }
    const { copy: copies, edit: edits, cancel, sheet } = button.dataset;
    if (copies !== undefined) copy(button);
    else if (edits !== undefined) edit(button.closest(".asked, li"), true);
    else if (cancel !== undefined) edit(button.closest(".asked, li"), false);
    else if (sheet !== undefined) root.classList.add("sheet-open");
    else button.classList.toggle("shown");
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
      if (event.target.matches(".source")) event.target.click();
      else if (field && !event.shiftKey) {
        event.preventDefault();
        field.form.requestSubmit();
      }
    },
    true,
  );
})();
