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
  const MOMENT = 3_000; // by then a question that was sent is seen, or was refused
  let asked = -MOMENT; // when one was sent of which nothing is seen yet
  let stopped = false; // by the reader, who need not wait for an end that may never come
  const PATIENCE = 10_000; // a way that ends in an error never arrives
  let leaving = 1; // ways to another conversation that have not arrived; the page begins with one
  let since = performance.now();
  let isAsked = false; // a question was sent on one of them
  let next = null; // until when one waits for the end of an answer that was stopped: Gradio takes none before
  const JUST = 500; // who presses Enter so shortly before an answer is taken away has seen its end
  let held = -JUST; // when a question was last kept from being sent
  let isOpened = false; // the page shows what there is
  let begins = null; // the button by which another conversation was begun before

  /** Keep what `selector` names from acting while an answer comes: of two at once, one could not be stopped.
   *  On the way to another conversation too: it would be done in the one that is left, and not be seen again. */
  function hold(event, selector) {
    if (closest(event, "#question .stop-button")) stopped = true;
    const begun = closest(event, selector);
    if (!begun) return;
    if (performance.now() - since > PATIENCE) leaving = 0;
    if (leaving) isAsked ||= begun.closest("#question") !== null;
    else if (stopped && begun.closest("#question") && document.querySelector("#live article")) sendNext();
    else if (stopped || !(document.querySelector("#live article") || performance.now() - asked < MOMENT)) {
      stopped = isAsked = false;
      if (begun.matches(ASKS)) asked = performance.now();
      if (begun.closest("#question")) seeTaken(performance.now() + MOMENT);
      return;
    }
    if (!leaving && begun.closest("#question")) held = performance.now();
    event.preventDefault();
    event.stopPropagation();
  }
  window.wenqu.hold = hold;

  const sendNext = () => (next ??= setTimeout(window.wenqu.ended, MOMENT)); // also if that end never comes
  function forget() {
    clearTimeout(next);
    next = null;
  }
  /** No answer comes any more: what was written meanwhile can be sent. */
  window.wenqu.ended = () => {
    if (next === null && performance.now() - held > JUST) return;
    held = -JUST;
    forget();
    stopped = false;
    asked = performance.now();
    send();
  };

  // A frame for Gradio to draw what came, one for the thread to see that no answer comes any more.
  function send() {
    const until = performance.now() + MOMENT;
    requestAnimationFrame(() => requestAnimationFrame(() => press(until)));
  }
  function press(until) {
    if (!field().value.trim()) return;
    field().dispatchEvent(new KeyboardEvent("keypress", { key: "Enter", bubbles: true, cancelable: true }));
    seeTaken(until);
  }
  /** Send a question again that was not taken: what ended for the page may not have ended for Gradio yet, which drops
   *  what is sent until then. */
  function seeTaken(until) {
    const { value } = field();
    setTimeout(() => {
      // A passing message may tell that it cannot be sent.
      const isTaken = field().value !== value || document.querySelector("#live article, #refusal p, .toast-body");
      if (!isTaken && !leaving && performance.now() < until) press(until);
    }, 150);
  }

  /** What the page shows when it is opened may come after a conversation that is begun meanwhile, and in its place. */
  function putOff(event) {
    const button = closest(event, "#new-conversation");
    if (!button || isOpened || performance.now() > PATIENCE) return;
    begins = button;
    event.preventDefault();
    event.stopPropagation();
  }

  /** What became of a question that was sent is seen. */
  window.wenqu.settle = () => (asked = -MOMENT);
  /** The page has begun to leave a conversation. Gradio takes what it is given for the handler's own. */
  window.wenqu.leave = (...given) => {
    leaving += 1;
    isAsked ||= next !== null;
    forget();
    since = performance.now();
    window.wenqu.followOn();
    return given;
  };
  /** The other conversation is there: a question that was sent before goes to it. */
  window.wenqu.arrive = () => {
    leaving = Math.max(0, leaving - 1);
    window.wenqu.giveBack();
    isOpened = true;
    if (begins) {
      const button = begins;
      begins = null;
      button.click();
      return; // a question that was sent since is for the other conversation
    }
    if (leaving || !isAsked) return;
    isAsked = false;
    send();
  };
  document.addEventListener("click", putOff, true);
  document.addEventListener("click", (event) => hold(event, BEGINS), true);
  document.addEventListener("submit", (event) => hold(event, "#turns form"), true);
})();
