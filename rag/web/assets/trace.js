// How an answer came about: of the newest turn, and of any other whose decision is pressed.
(() => {
  const { closest, draw, listen, morph } = window.wenqu;

  draw.trace = (element, trigger, actions, props, watch) => {
    let shown = {};
    listen(element, trigger, actions);

    function open() {
      const details = element.querySelector("details");
      if (!details) return;
      details.open = true;
      details.scrollIntoView({ block: "start" });
      details.querySelector("summary").focus({ preventScroll: true });
    }

    watch("value", () => {
      if (!props.value) return;
      // The account of another turn begins closed: an open one takes the room of the page.
      const wasOpen = shown.turn === props.value.turn && element.querySelector("details")?.open;
      shown = props.value;
      morph(element, shown.html);
      const details = element.querySelector("details");
      if (details) details.open = wasOpen;
      if (shown.asked) open();
    });

    element.addEventListener("click", (event) => {
      const button = closest(event, "button[data-cite]");
      if (!button) return;
      const detail = { turn: shown.turn, number: button.dataset.cite };
      document.dispatchEvent(new CustomEvent("wenqu:cite", { detail }));
    });

    function look(turn, asked) {
      if (turn !== shown.turn) trigger("look", { id: turn, asked });
      else if (asked) open();
    }
    document.addEventListener("click", (event) => {
      const button = closest(event, "[data-process]");
      if (button) look(button.dataset.process, "yes");
    });
    // Whoever looks at a turn's sources means that turn.
    document.addEventListener("wenqu:cite", ({ detail }) => detail.turn && look(detail.turn, ""));
  };
})();
