// The list of conversations: while one is searched for, it stays as it is searched.
(() => {
  const { draw, listen, morph } = window.wenqu;

  draw.conversations = (element, trigger, actions, props, watch) => {
    listen(element, trigger, actions);
    watch("value", () => {
      const { html = "", searched } = props.value ?? {};
      const field = document.querySelector("#search input");
      // What comes with an answer is the whole list: it has to be searched anew.
      if (field?.value.trim() && !searched) field.dispatchEvent(new Event("input", { bubbles: true }));
      else morph(element, html);
    });
  };
})();
