// Who answers, in the page's corner, and what the model remembers: both are drawn in place, and stay open while a
// download goes on or an answer ends.
(() => {
  const { draw, listen, morph } = window.wenqu;

  draw.badge = draw.memory = (element, trigger, actions, props, watch) => {
    listen(element, trigger, actions);
    watch("value", () => morph(element, props.value?.html ?? ""));
  };
})();
