// Beside the question's field: why a question was not taken. It is put back where nothing else was written meanwhile.
(() => {
  const { draw, morph } = window.wenqu;

  draw.refusal = (element, trigger, actions, props, watch) => {
    watch("value", () => {
      const { html = "", question = "" } = props.value ?? {};
      morph(element, html);
      // Gradio may yet have to empty the field of it.
      if (question) requestAnimationFrame(() => requestAnimationFrame(() => fill(question)));
    });
  };

  // A page that is loaded anew in another language has the question that was being written.
  const DRAFT = "wenqu_draft";
  window.wenqu.keepDraft = () => sessionStorage.setItem(DRAFT, document.querySelector("#question textarea").value);
  window.wenqu.restoreDraft = () => {
    const kept = sessionStorage.getItem(DRAFT);
    if (kept) fill(kept);
    sessionStorage.setItem(DRAFT, "");
  };

  function fill(question) {
    const field = document.querySelector("#question textarea");
    if (field.value) return;
    field.value = question;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
})();
