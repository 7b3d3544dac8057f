// The table of files, and what is in one of them.
(() => {
  const { closest, draw, fragment, listen, made, morph, root } = window.wenqu;

  /** Bring the rows of `holder` into the order of those that come, so that each becomes what it was before. */
  function arrange(holder, fresh) {
    const body = holder.querySelector("tbody");
    const wanted = fresh.querySelector("tbody");
    if (!body || !wanted) return;
    const here = new Map([...body.children].map((row) => [row.dataset.document, row]));
    [...wanted.children].forEach((row, place) => {
      const known = here.get(row.dataset.document) ?? row.cloneNode(true);
      here.delete(row.dataset.document);
      if (body.children[place] !== known) body.insertBefore(known, body.children[place] ?? null);
    });
    here.forEach((row) => row.remove());
  }

  /** Give the focus of a row that went to the next one that can be opened, else to the head of the list. */
  function land(rows) {
    const title = rows.map((row) => row.querySelector(".title")).find(Boolean);
    (title ?? document.querySelector('#files input[data-use=""], #drop .pick button'))?.focus();
  }

  let inspect; // looks into a document, once the page has its parts
  let inspected = null; // the document that is looked into
  let place = null; // and where in it
  let reopened = ""; // that of the page before this one
  const reopen = (kept) => (inspect ? inspect(JSON.parse(kept)) : (reopened = kept));
  window.wenqu.keepOver("file", () => (inspected ? JSON.stringify(place) : reopened), reopen);

  /** Whether a document is looked into, in the tab that is open. */
  window.wenqu.isInspecting = () =>
    root.classList.contains("inspecting") && document.querySelector("#shelf").offsetParent !== null;

  /** Show which row is looked into; the row. */
  function mark() {
    const rows = [...document.querySelectorAll("#files .file")];
    rows.forEach((row) => row.classList.toggle("inspected", row.dataset.document === inspected));
    return rows.find((row) => row.dataset.document === inspected);
  }

  draw.files = (element, trigger, actions, props, watch) => {
    const holder = made("div", "holder");
    element.replaceChildren(holder);
    listen(element, trigger, actions);
    let unlocking = null; // the document that a password was asked for, and where the focus went when its field did
    const opens = (id) =>
      holder.querySelector(`form[data-id="${id}"] input`) ?? holder.querySelector(`.title[data-id="${id}"]`);
    function show() {
      if (!props.value) return;
      const form = document.activeElement.closest('#files form[data-act="unlock"]');
      if (form) unlocking = { id: form.dataset.id };
      else if (document.activeElement !== unlocking?.landed) unlocking = null;
      const fresh = fragment(props.value.html);
      const rows = () => [...holder.querySelectorAll(".file")];
      const place = rows().findIndex((row) => row.contains(document.activeElement));
      arrange(holder, fresh);
      morph(holder, fresh);
      const next = unlocking && opens(CSS.escape(unlocking.id));
      if (next && next !== document.activeElement) next.focus({ preventScroll: true });
      else if (place >= 0 && !holder.contains(document.activeElement)) land(rows().slice(place));
      if (unlocking) unlocking.landed = document.activeElement;
      holder.querySelectorAll("input[data-use]").forEach((box) => (box.checked = box.hasAttribute("checked")));
      // Deleted here, by another tab, or with everything.
      if (!mark() && inspected) window.wenqu.closeFile();
    }
    show();
    watch("value", show);
    holder.addEventListener("change", (event) => {
      const box = closest(event, "input[data-use]");
      if (box) trigger("choose", { id: box.dataset.use, used: box.checked ? "1" : "" });
    });
    holder.addEventListener("click", (event) => {
      const opener = closest(event, '[data-act="inspect"]');
      if (opener) inspect({ ...opener.dataset });
    });
  };

  draw.inspector = (element, trigger, actions, props, watch) => {
    const holder = made("div", "holder");
    element.replaceChildren(holder);
    let asked = 0; // how often: answers are told apart by it, and Gradio does not tell of equal ones
    let opener = null;
    let timer = 0;
    let opened = false; // until what was opened is there and has the focus
    let turned = false; // until another page or view is there

    function send(act, wanted) {
      clearTimeout(timer);
      place = wanted;
      asked += 1;
      trigger(act, { ...wanted, asked: String(asked) });
    }

    inspect = (wanted) => {
      if (!root.classList.contains("inspecting")) {
        opener = document.activeElement;
        opened = true;
      }
      turned = true;
      inspected = wanted.id;
      root.classList.add("inspecting");
      // Beside what it holds, the table may take another form: the row would leave the reader.
      mark()?.scrollIntoView({ block: "nearest" });
      send("inspect", wanted);
    };

    window.wenqu.closeFile = () => {
      clearTimeout(timer);
      asked += 1;
      inspected = null;
      mark();
      root.classList.remove("inspecting");
      holder.replaceChildren();
      opener?.focus?.();
    };

    if (reopened) inspect(JSON.parse(reopened));
    reopened = "";

    watch("value", () => {
      const { value } = props;
      if (value?.asked !== String(asked)) return;
      // An image that failed is asked for once more only where it is made anew.
      holder.querySelector(".leaf.broken")?.remove();
      morph(holder, value.html);
      if (turned) show();
      const [close, way = close] = holder.querySelectorAll('[data-close], [aria-current="true"]');
      if (opened) way.focus({ preventScroll: true });
      opened = turned = false;
      if (holder.querySelector("[data-again]")) timer = setTimeout(send, 1500, "inspect", place);
    });

    function show() {
      const mark = holder.querySelector(".mark, mark");
      const view = holder.querySelector(".view");
      if (mark && view) view.scrollTop = Math.max(0, mark.offsetTop - view.clientHeight / 3);
      else element.closest("#shelf-detail").scrollTop = 0;
    }

    holder.addEventListener("load", show, true);
    holder.addEventListener("error", () => holder.querySelector(".leaf")?.classList.add("broken"), true);
    holder.addEventListener("click", (event) => {
      const pressed = closest(event, "button");
      if (!pressed) return;
      const { act, document: id, look, close: closes } = pressed.dataset;
      if (closes !== undefined) window.wenqu.closeFile();
      else if (look !== undefined) inspect({ ...pressed.dataset, id, view: "page" });
      else if (act === "check") send(act, { id: pressed.dataset.id, view: "report" });
      else if (act === "inspect") inspect({ ...pressed.dataset });
    });
  };
})();
