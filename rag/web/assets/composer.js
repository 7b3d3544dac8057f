// Beside the question's field: why a question was not taken. It is put back where nothing else was written meanwhile.
(() => {
  const { closest, draw, morph } = window.wenqu;

  draw.refusal = (element, trigger, actions, props, watch) => {
    // What was not taken is being put right; what is put back into the field is not.
    document.addEventListener("input", (event) => {
      if (event.isTrusted && closest(event, "#question")) element.replaceChildren();
    });
    watch("value", () => {
      const { html = "", question = "" } = props.value ?? {};
      morph(element, html);
      if (html) window.wenqu.settle();
      // Gradio may yet have to empty the field of it.
      if (question) requestAnimationFrame(() => requestAnimationFrame(() => fill(question)));
    });
  };

  window.wenqu.keepOver("draft", () => document.querySelector("#question textarea").value, fill);

  function fill(question) {
    const field = document.querySelector("#question textarea");
    if (field.value) return;
    field.value = question;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
})();
