// Who answers, in the page's corner: its account is drawn in place, and stays open while a download goes on.
(() => {
  const { draw, listen, morph } = window.wenqu;

  draw.badge = (element, trigger, actions, props, watch) => {
    listen(element, trigger, actions);
    watch("value", () => morph(element, props.value?.html ?? ""));
  };
})();
