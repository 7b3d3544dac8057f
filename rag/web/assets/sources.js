// The sources: cards of evidence, and the page that one of them stands on, which is turned and enlarged here.
(() => {
  const { closest, draw, made, morph, isNarrow, root, words } = window.wenqu;
  const PLACE = ["document", "home", "pageNumber", "start", "end", "keyStart", "keyEnd"];
  const nameOf = (place, names = PLACE) => names.map((name) => place[name] ?? "").join("/");
  const PASSAGE = ["document", "start", "end"];
  // Set once the page has its parts: look at a place, or at nothing; show the card of a number.
  let look;
  let cite;
  let looked = null; // the place in view, or on its way there
  let reading = false; // whether the reader has turned to it while an answer is being written

  /** Look at what the reader asked for. */
  function turnTo(place) {
    reading = root.classList.contains("answering");
    look(place, true);
  }

  draw.leaf = (element, trigger, actions, props, watch) => {
    const holder = made("div", "leaf");
    const dialog = made("dialog", "reader");
    let asked = "0"; // for how many pages: their answers are told apart by it, as Gradio does not tell of equal ones
    let came = "0"; // which of them was answered last
    let isAnnounced = true; // whether whoever hears the page knows what is in view
    const where = () => holder.querySelector(".where")?.textContent;
    /** Say what is in view, where its page is the one that was there: another one is told as it changes. */
    function announce(before) {
      if (!isAnnounced && where() && where() === (before ?? where()))
        window.wenqu.tell(`${holder.querySelector(".file").textContent} · ${where()}`);
      isAnnounced = true;
    }
    dialog.setAttribute("aria-labelledby", "leaf-name");
    element.replaceChildren(holder, dialog);
    element.closest("#desk-sources").prepend(closer());

    look = (place, isAsked = false) => {
      const isThere = place && looked && nameOf(place) === nameOf(looked);
      looked = place;
      isAnnounced = !isAsked;
      mark();
      // A request that failed tells nothing: what has not come is asked for again.
      if (isThere && came === asked && !holder.classList.contains("broken")) {
        if (isAsked) center(holder);
        announce();
        return;
      }
      asked = String(Number(asked) + 1);
      if (!place) holder.replaceChildren();
      else trigger("look", { ...Object.fromEntries(PLACE.map((name) => [name, place[name] ?? ""])), asked });
    };

    watch("value", () => {
      const { value } = props;
      if (value?.asked !== asked) return;
      came = asked;
      // An image that failed is asked for once more only where it is made anew.
      if (holder.classList.contains("broken")) holder.replaceChildren();
      holder.classList.remove("broken");
      const before = where();
      morph(holder, value.html);
      center(holder);
      announce(before);
    });

    holder.addEventListener("click", (event) => {
      const button = closest(event, "button");
      if (!button) return;
      if ("look" in button.dataset) turnTo({ ...button.dataset, number: looked.number });
      else if ("enlarge" in button.dataset) enlarge();
      else if ("shrink" in button.dataset) dialog.close();
    });
    holder.addEventListener("error", () => holder.classList.add("broken"), true);

    // The leaf itself moves into the dialog and back: it stays as it is, whatever happens behind it.
    function enlarge() {
      element.style.minHeight = `${element.offsetHeight}px`;
      dialog.append(holder);
      dialog.showModal();
      holder.querySelector(".view")?.focus();
      center(holder);
    }
    dialog.addEventListener("close", () => {
      element.insertBefore(holder, dialog);
      element.style.minHeight = "";
      center(holder);
      holder.querySelector("[data-enlarge]")?.focus({ preventScroll: true });
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    dialog.addEventListener("keydown", (event) => {
      const side = { ArrowLeft: ".before", ArrowRight: ".after" }[event.key];
      if (!side || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      holder.querySelector(side)?.click();
    });
  };

  /** Bring the passage, or what of it bears the sentence out, into the middle of what is seen of its page. */
  function center(holder) {
    const view = holder.querySelector(".view");
    if (!view) return;
    const inner = view.querySelectorAll(".key");
    const marks = [...(inner.length ? inner : view.querySelectorAll(".mark, mark"))].map((mark) => mark.getBoundingClientRect());
    const frame = view.getBoundingClientRect();
    const top = Math.min(...marks.map((box) => box.top)) - frame.top + view.scrollTop;
    const bottom = Math.max(...marks.map((box) => box.bottom)) - frame.top + view.scrollTop;
    const left = Math.min(...marks.map((box) => box.left)) - frame.left + view.scrollLeft;
    // Of a passage that is taller than the frame, its beginning.
    const room = Math.max(24, (frame.height - (bottom - top)) / 2);
    view.scrollTo(marks.length ? { top: top - room, left: left - 24 } : { top: 0, left: 0 });
  }

  /** Raise the sheet of a phone, or lay it away: it takes the focus, and gives it back. */
  let raiser = null;
  window.wenqu.raise = (isRaised) => {
    if (root.classList.contains("sheet-open") === isRaised) return;
    root.classList.toggle("sheet-open", isRaised);
    const held = document.activeElement;
    if (isRaised) {
      raiser = held;
      document.querySelector(".lay-away").focus({ preventScroll: true });
    } else if (held.closest("#desk-sources")) raiser.focus({ preventScroll: true });
  };

  /** The button that lays the sheet of a phone away. */
  function closer() {
    const button = made("button", "lay-away", words.hide);
    button.type = "button";
    button.onclick = () => window.wenqu.raise(false);
    return button;
  }

  /** Show which card is the one in view: in another branch, another passage may have its number. */
  function mark() {
    for (const card of document.querySelectorAll("#sources .source")) {
      const isShown =
        looked?.number === card.dataset.source && nameOf(looked, PASSAGE) === nameOf(card.dataset, PASSAGE);
      card.classList.toggle("shown", isShown);
      card.querySelector(".head").setAttribute("aria-expanded", isShown);
    }
  }

  /** Scroll the pane to a card, below the leaf; to the leaf, where that does not stay in its place. */
  function reveal(card) {
    const pane = card.closest("#desk-sources");
    const leaf = pane.querySelector("#leaf");
    const { position, top: above } = getComputedStyle(leaf);
    if (position !== "sticky") {
      pane.scrollTo({ top: 0 });
      return;
    }
    const [frame, box] = [pane.getBoundingClientRect(), card.getBoundingClientRect()];
    const top = box.top - frame.top - parseFloat(above) - leaf.offsetHeight - 12;
    if (top < 0 || box.bottom > frame.bottom) pane.scrollBy({ top });
  }

  draw.sources = (element, trigger, actions, props, watch) => {
    let shown = {};
    let live = null; // the cards of the answer that is being written
    let asked = 0; // for how many cards: as above

    const find = (number) => element.querySelector(`[data-source="${CSS.escape(number)}"]`);

    /** Open a card on the page of its passage that says what a sentence of the answer says. */
    function open(number, isAsked, sentence) {
      const card = find(number);
      if (!card) return false;
      const { document: id, pageNumber: first, leads = "{}", start, end } = card.dataset;
      const [pageNumber = first, keyStart, keyEnd] = JSON.parse(leads)[sentence]?.map(String) ?? [];
      const place = { document: id, home: pageNumber, pageNumber, start, end, keyStart, keyEnd, number };
      if (isAsked) turnTo(place);
      else look(place);
      if (isAsked) reveal(card);
      return true;
    }

    function show(value) {
      shown = value;
      morph(element, value.html);
      if (value.live) mark();
      else if (value.asked && value.open) open(value.open, true, value.sentence);
      else if (!value.open) look(null);
      else if (document.querySelector("dialog.reader[open]") || (reading && looked && find(looked.number))) mark();
      else open(value.open, false, value.sentence);
      if (!value.live && !value.asked) reading = false;
    }

    watch("value", () => {
      const { value } = props;
      if (!value || (value.asked && value.asked !== String(asked))) return;
      live = value.live ? value : value.asked ? live : null;
      show(value);
    });

    cite = (turn, number, sentence) => {
      asked += 1;
      if (!turn && live && shown !== live) show(live);
      if (isNarrow("phone")) window.wenqu.raise(true);
      if (turn === (shown.turn ?? "") && open(number, true, sentence)) return;
      trigger("cite", { id: turn, number, sentence, asked: String(asked) });
    };

    element.addEventListener("click", (event) => {
      const card = closest(event, ".source");
      // Who selects a passage's words does not mean to look it up.
      if (card && !window.getSelection()?.toString()) open(card.dataset.source, true);
    });
  };
  document.addEventListener("wenqu:cite", ({ detail }) => cite(detail.turn, detail.number, detail.sentence ?? ""));

  document.addEventListener("click", (event) => {
    const turn = closest(event, "[data-turn-sources]")?.dataset.turnSources;
    if (turn) cite(turn, "", "");
    if (!isNarrow("phone")) return;
    if (closest(event, "[data-sheet]")) window.wenqu.raise(true);
    else if (!closest(event, "#desk-sources, .cite, dialog")) window.wenqu.raise(false);
  });
})();
