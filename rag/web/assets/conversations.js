// The conversations: their list, and the head of the one in view, with the files that it is taken along as.
(() => {
  const { closest, draw, listen, morph } = window.wenqu;

  // While one is searched for, the list stays as it is searched.
  draw.conversations = (element, trigger, actions, props, watch) => {
    listen(element, trigger, actions);
    function show() {
      const { html = "", searched } = props.value ?? {};
      const field = document.querySelector("#search input");
      // What comes with an answer is the whole list: it has to be searched anew.
      if (field?.value.trim() && !searched) field.dispatchEvent(new Event("input", { bubbles: true }));
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

  /** Hand a file to the browser's own way of saving. It was sent here; there is no address that others could open. */
  function save({ name, type, data }) {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  draw.head = (element, trigger, actions, props, watch) => {
    let saved = null;
    listen(element, trigger, actions);
    const menu = () => element.querySelector("details.menu");

    watch("value", () => {
      const { html, file } = props.value ?? {};
      if (html !== undefined) morph(element, html);
      if (!file || file.id === saved) return;
      saved = file.id;
      save(file);
    });

    document.addEventListener("click", (event) => {
      if (closest(event, "#head summary") || !menu()?.open) return;
      menu().open = false;
      if (element.contains(document.activeElement)) menu().querySelector("summary").focus();
    });
  };
})();
