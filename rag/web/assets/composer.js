// The question's field: when an answer may begin, none beside one that comes, and none in a conversation that is being
// left; and why a question was not taken, which is put back where nothing else was written meanwhile.
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

  const field = () => document.querySelector("#question textarea");
  function fill(question) {
    if (field().value) return;
    field().value = question;
    field().dispatchEvent(new Event("input", { bubbles: true }));
  }
  window.wenqu.keepOver("draft", () => field().value, fill);

  const BEGINS = `#suggestions button, #question .submit-button,
    :is(#turns, #trace) :is([data-act="retry"], [data-act="branch"], [data-act="rate"], [data-edit])`;
  const ASKS = `#suggestions *, #question *, [data-act="retry"], form[data-act="edit"]`; // of all that is held
  const WAYS = `#new-conversation, #conversations [data-act="open"]`;
  const PATIENCE = 10_000; // what has not been heard of by then may never be
  let asked = -PATIENCE; // when one was sent of which nothing is seen yet
  let stopped = false; // by the reader, who need not wait for the end
  let leaving = 1; // ways to another conversation that have not arrived; the page begins with one
  let since = performance.now();
  let isAsked = false; // a question was sent on one of them
  let way = null; // what was pressed last on one of them, to begin another
  const JUST = 500; // who presses Enter so shortly before an answer is taken away has seen its end
  let held = -JUST; // when a question was last kept from being sent

  const isLeaving = () => leaving > 0 && performance.now() - since < PATIENCE;
  window.wenqu.isLeaving = isLeaving;
  const isUnseen = () => performance.now() - asked < PATIENCE;
  const isAnswering = () => document.querySelector("#live article") || isUnseen();
  function withhold(event) {
    event.preventDefault();
    event.stopPropagation();
  }

  /** Keep what `selector` names from acting while an answer comes: of two at once, one could not be stopped.
   *  On the way to another conversation too: it would be done in the one that is left, and not be seen again. */
  function hold(event, selector) {
    if (closest(event, "#question .stop-button")) stopped = true;
    const begun = closest(event, selector);
    if (!begun) return;
    const isQuestion = begun.closest("#question") !== null;
    if (!isLeaving() && (stopped || !isAnswering())) {
      stopped = isAsked = false;
      if (begun.matches(ASKS)) asked = performance.now();
      return;
    }
    if (isLeaving()) isAsked ||= isQuestion;
    else if (isQuestion && !isUnseen()) held = performance.now();
    withhold(event);
  }
  window.wenqu.hold = hold;

  /** No answer comes any more: what was written meanwhile can be sent. */
  window.wenqu.ended = () => {
    stopped = false;
    if (performance.now() - held < JUST) send();
    held = -JUST;
  };

  function send() {
    if (!field().value.trim()) return;
    asked = performance.now();
    // A frame for Gradio to draw what came, one for the thread to see that no answer comes any more.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      field().dispatchEvent(new KeyboardEvent("keypress", { key: "Enter", bubbles: true, cancelable: true }));
    }));
  }

  /** One way at a time: of two, the answers may overtake each other, and that which was pressed first be shown. */
  function putOff(event) {
    const button = closest(event, WAYS);
    if (!button || !isLeaving()) return;
    const { id } = button.dataset;
    way = id ? `#conversations li:not([aria-current]) > [data-id="${id}"]` : "#new-conversation";
    withhold(event);
  }

  /** What became of a question that was sent is seen. */
  window.wenqu.settle = () => (asked = -PATIENCE);
  /** The page has begun to leave a conversation. Gradio takes what it is given for the handler's own. */
  window.wenqu.leave = (...given) => {
    leaving = isLeaving() ? leaving + 1 : 1;
    since = performance.now();
    window.wenqu.followOn();
    return given;
  };
  /** The other conversation is there: a question that was sent before goes to it. */
  window.wenqu.arrive = () => {
    leaving = Math.max(0, leaving - 1);
    window.wenqu.giveBack();
    if (leaving) return;
    const button = way && document.querySelector(way);
    way = null;
    if (button) button.click(); // a question that was sent since is for the other conversation
    else if (isAsked) send();
    if (!button) isAsked = false;
  };
  document.addEventListener("click", putOff, true);
  document.addEventListener("click", (event) => hold(event, BEGINS), true);
  document.addEventListener("submit", (event) => hold(event, "#turns form"), true);
})();
