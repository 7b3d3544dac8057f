// The list of conversations: while one is searched for, it stays as it is searched.
(() => {
  const { closest, draw, listen, morph } = window.wenqu;

  draw.conversations = (element, trigger, actions, props, watch) => {
    listen(element, trigger, actions);
    function show() {
      const { html = "", sought = "" } = props.value ?? {};
      const field = document.querySelector("#search input");
      // What comes with an answer is the whole list, and of two searches the first one may be found last.
      if (field && window.wenqu.sought() !== sought) field.dispatchEvent(new Event("input", { bubbles: true }));
      // Who writes a name is not disturbed: what came meanwhile is drawn when they have done.
      else if (!element.querySelector("form.edit:not([hidden])")) {
        const held = element.contains(document.activeElement);
        morph(element, html);
        // With the last of them the focus would go as well.
        if (held && !element.contains(document.activeElement)) document.querySelector("#new-conversation").focus();
      }
    }
    watch("value", show);
    element.addEventListener("focusout", (event) => {
      if (closest(event, "form.edit")) requestAnimationFrame(show);
    });
  };
})();
