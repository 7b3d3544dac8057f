// How an answer came about: of the newest turn, and of any other whose decision is pressed.
(() => {
  const { closest, draw, listen, morph } = window.wenqu;

  draw.trace = (element, trigger, actions, props, watch) => {
    let shown = {};
    let asked = 0; // for how many accounts: of two that are on their way, the one that comes last may be the first
    listen(element, trigger, actions);

    function open() {
      const details = element.querySelector("details");
      if (!details) return;
      details.open = true;
      details.scrollIntoView({ block: "start" });
      details.querySelector("summary").focus({ preventScroll: true });
    }

    watch("value", () => {
      const { value } = props;
      if (!value || (value.asked && value.asked !== String(asked))) return;
      // The account of another turn begins closed: an open one takes the room of the page.
      const wasOpen = shown.turn === value.turn && element.querySelector("details")?.open;
      shown = value;
      morph(element, shown.html);
      const details = element.querySelector("details");
      if (details) details.open = wasOpen;
      if (shown.opens) open();
    });

    element.addEventListener("click", (event) => {
      const button = closest(event, "button[data-cite]");
      if (!button) return;
      const detail = { turn: shown.turn, number: button.dataset.cite };
      document.dispatchEvent(new CustomEvent("wenqu:cite", { detail }));
    });

    function look(turn, opens) {
      asked += 1;
      if (turn !== shown.turn) trigger("look", { id: turn, opens, asked: String(asked) });
      else if (opens) open();
    }
    document.addEventListener("click", (event) => {
      const button = closest(event, "[data-process]");
      if (button) look(button.dataset.process, "yes");
    });
    // Whoever looks at a turn's sources means that turn.
    document.addEventListener("wenqu:cite", ({ detail }) => detail.turn && look(detail.turn, ""));
  };
})();
