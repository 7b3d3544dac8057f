// The head of a conversation: its title, and the files that it is taken along as.
(() => {
  const { closest, draw, listen, morph } = window.wenqu;

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
