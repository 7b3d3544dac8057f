// The conversation: its head, its turns, and the live answer piece by piece, so that nothing that stays is touched.
(() => {
  const { closest, draw, fragment, listen, made, morph, root, words } = window.wenqu;

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

  /** Where the focus is, to give it back: in which turn, and on which of its buttons of an action. */
  function heldIn(element) {
    const pressed = document.activeElement?.closest("[data-act], [data-edit]");
    const place = [...element.children].findIndex((turn) => turn.contains(pressed));
    if (place < 0) return null;
    const { act } = pressed.dataset;
    const action = act ? `button[data-act="${act}"]` : "[data-edit]";
    return { place, action, among: [...element.children[place].querySelectorAll(action)].indexOf(pressed) };
  }

  /** Give the focus that went with what was pressed to what has its place; else to what is nearest to it. */
  function land(turn, { action, among }) {
    const ways = [...turn.querySelectorAll(action)];
    const isOpen = (way) => way && !way.disabled;
    const way = [ways.find((one) => one.ariaPressed === "true"), ways[among], ...ways].find(isOpen);
    way?.focus({ preventScroll: true });
  }

  let held = null; // also while the turn that had the focus is answered anew

  /** The turns in their order; false where one of them is neither here nor in what came. */
  function arrange(element, { order, html }) {
    if (document.activeElement !== document.body) held = heldIn(element);
    const here = new Map([...element.children].map((child) => [child.dataset.turn ?? "welcome", child]));
    const turns = order.map((id) => (id in html ? fragment(html[id]).firstElementChild : here.get(id)));
    if (turns.includes(undefined)) return false;
    turns.forEach((turn, place) => {
      const present = element.children[place];
      if (present === turn) return;
      if (present?.dataset.turn && present.dataset.turn === turn.dataset.turn) morph(present, turn);
      else element.insertBefore(turn, present ?? null);
    });
    while (element.children.length > turns.length) element.lastElementChild.remove();
    if (held && held.place < turns.length) {
      if (!element.contains(document.activeElement)) land(element.children[held.place], held);
      held = null;
    }
    // Asked of `#desk` by :has(), this would have all of it styled anew at every piece of an answer.
    const isWelcome = order[0] === "welcome";
    root.classList.toggle("welcoming", isWelcome);
    localStorage.setItem("wenqu_welcoming", isWelcome ? "yes" : "no");
    return true;
  }

  draw.turns = (element, trigger, actions, props, watch) => {
    listen(element, trigger, actions);
    watch("value", () => {
      window.wenqu.settle();
      // Of a conversation that is being left, an answer may still have been on its way; what there is comes by itself.
      if (props.value && !arrange(element, props.value) && !window.wenqu.isLeaving()) trigger("sync");
    });
    element.addEventListener("click", cite);
    follow(element.closest("#thread"));
  };

  const skeleton = `<article class="turn"><div class="asked"></div><div class="answer" aria-busy="true">
    <details class="thinking" hidden><summary></summary><p></p></details>
    <div class="prose"></div><div class="stage"></div></div></article>`;

  draw.live = (element, trigger, actions, props, watch) => {
    const status = made("p", "unseen");
    status.setAttribute("role", "status");
    element.before(status);
    window.wenqu.tell = (sentence) => (status.textContent = sentence);
    let shown = {};
    function show() {
      const value = props.value;
      if (!value) {
        // The turn is drawn before or after: its notice is looked for once both have come.
        if (shown.question) requestAnimationFrame(() => window.wenqu.tell(endingOf() ?? words.answered));
        shown = {};
        element.replaceChildren();
        window.wenqu.ended();
        return;
      }
      if (!shown.question) {
        element.replaceChildren(fragment(skeleton));
        shown = { blocks: [], thinking: "" };
      }
      grow(element, value, shown);
      if (status.textContent !== value.status) status.textContent = value.status;
      shown = { ...value, blocks: [...value.blocks] };
    }
    watch("value", show);
    element.addEventListener("click", cite);
  };

  /** How the newest answer ended, where it is not whole. */
  const endingOf = () => document.querySelector("#turns .turn:last-child .notice span")?.textContent;

  function grow(element, value, shown) {
    const part = (selector) => element.querySelector(selector);
    if (value.question !== shown.question) morph(part(".asked"), value.question);
    if (value.stage !== shown.stage) morph(part(".stage"), value.stage);
    if (value.thinking !== shown.thinking) {
      const thoughts = part(".thinking");
      thoughts.hidden = !value.thinking;
      thoughts.lastElementChild.append(value.thinking.slice(shown.thinking.length));
    }
    if (value.thoughts !== shown.thoughts) part(".thinking > summary").textContent = value.thoughts;
    const prose = part(".prose");
    value.blocks.forEach((html, place) => {
      if (html === shown.blocks[place]) return;
      if (!prose.children[place]) prose.append(document.createElement("div"));
      morph(prose.children[place], html);
    });
    while (prose.children.length > value.blocks.length) prose.lastElementChild.remove();
  }

  // Whoever shows sources hears of every marker that is pressed; a turn that is not stored yet has no id.
  function cite(event) {
    const button = closest(event, "button[data-cite]");
    if (!button) return;
    const id = button.closest("[data-turn]")?.dataset.turn ?? "";
    document.querySelectorAll("#thread .cite.shown").forEach((other) => other.classList.remove("shown"));
    button.classList.add("shown");
    const { cite: number, sentence } = button.dataset;
    document.dispatchEvent(new CustomEvent("wenqu:cite", { detail: { turn: id, number, sentence } }));
  }

  /** Keep the end of the conversation in view, unless the reader has scrolled away from it. */
  function follow(thread) {
    let atEnd = true;
    let last = 0;
    // What was read back in one conversation is not where another one is to be read.
    window.wenqu.followOn = () => (atEnd = true);
    thread.addEventListener("scroll", () => {
      // Content that shrinks moves the view as well; only the reader moves it away from the end.
      const away = thread.scrollHeight - thread.scrollTop - thread.clientHeight;
      if (thread.scrollTop < last && away > 40) atEnd = false;
      else if (away < 40) atEnd = true;
      last = thread.scrollTop;
    });
    let isDue = false;
    function keep() {
      isDue = false;
      const running = thread.querySelector("#live article") !== null;
      if (running && !root.classList.contains("answering")) atEnd = true;
      root.classList.toggle("answering", running);
      if (!atEnd) return;
      thread.scrollTop = thread.scrollHeight;
      last = thread.scrollTop;
    }
    // Once a frame: to ask how high the thread is makes the browser lay it out there and then.
    const soon = () => {
      if (!isDue) requestAnimationFrame(keep);
      isDue = true;
    };
    new MutationObserver(soon).observe(thread, { childList: true, subtree: true, characterData: true });
    // A long question, a notice or a keyboard takes from its height, and hides the end.
    new ResizeObserver(soon).observe(thread);
  }
})();
