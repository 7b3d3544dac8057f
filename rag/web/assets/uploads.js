// Files on their way in: dropped or chosen, sent one by one, each with its progress.
(() => {
  const { closest, draw, made, morph, openTab, root, words } = window.wenqu;
  const { suffixes, file_mb, quota_mb } = window.wenquValues;
  const AT_ONCE = 2;
  const MEGABYTE = 1024 * 1024;
  const fill = (sentence, values) =>
    sentence.replace(/\{(\w+)(?::(\w+)\|(\w+))?\}/g, (_, name, one, more) =>
      one ? (values[name] === 1 ? one : more) : (values[name] ?? ""),
    );

  const button = (word, act) => Object.assign(made("button", "plain", word), { type: "button", onclick: act });

  /**
   * All files of what was dropped, folders opened; `fromFolder` tells those that nobody has chosen one by one,
   * `unreadable` names what the browser may not read.
   */
  async function opened(transfer) {
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (!entries.length) return [...transfer.files].map((file) => ({ file, fromFolder: false }));
    const found = [];
    const open = (entry, fromFolder) => read(entry, fromFolder).catch(() => found.push({ unreadable: entry.name }));
    async function read(entry, fromFolder) {
      if (entry.isFile) {
        found.push({ file: await new Promise((done, fail) => entry.file(done, fail)), fromFolder });
        return;
      }
      const reader = entry.createReader();
      // A reader gives at most a hundred entries at a time, and none at its end.
      for (;;) {
        const some = await new Promise((done, fail) => reader.readEntries(done, fail));
        if (!some.length) return;
        for (const each of some) await open(each, true);
      }
    }
    for (const entry of entries) await open(entry, false);
    return found;
  }

  const isKnown = (file) => suffixes.some((suffix) => file.name.toLowerCase().endsWith(suffix));
  const arrived = []; // until what sends them is there
  let takeUp = () => {};

  const isTalking = () => Boolean(document.querySelector("#entry")?.offsetParent);

  /** The one way in, from wherever on the page. Whoever is in the conversation stays there and sees what comes. */
  function bring(chosen) {
    arrived.push(...chosen);
    if (arrived.length && !isTalking()) openTab(1);
    takeUp();
  }

  const inputs = { files: made("input", "unseen"), folder: made("input", "unseen") };
  inputs.files.accept = suffixes.join(",");
  for (const [name, input] of Object.entries(inputs)) {
    input.type = "file";
    input.multiple = true;
    input.tabIndex = -1;
    input.setAttribute("aria-hidden", "true");
    input.webkitdirectory = name === "folder";
    input.onchange = () => {
      bring([...input.files].map((file) => ({ file, fromFolder: name === "folder" })));
      input.value = "";
    };
  }
  document.addEventListener("click", (event) => {
    const pick = closest(event, "[data-pick]");
    if (pick) inputs[pick.dataset.pick].click();
    else if (closest(event, "#drop .zone")) inputs.files.click();
  });

  // A file that misses the zone must not take the page away. The page's own images are dragged as files, too.
  let isOwn = false;
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragstart", () => (isOwn = true));
  document.addEventListener("dragend", () => (isOwn = false));
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    root.classList.toggle("dragging", !isOwn);
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) root.classList.remove("dragging");
  });
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    root.classList.remove("dragging");
    if (!isOwn) opened(event.dataTransfer).then(bring);
    // What was dragged may be gone from the page, and then nothing tells that its drag has ended.
    isOwn = false;
  });

  // Who copies cells or a page gets a picture of them along with their text, and means the text.
  document.addEventListener("paste", (event) => {
    const { files, types } = event.clipboardData;
    const chosen = [...files].filter((file) => isKnown(file) || !types.includes("text/plain"));
    if (!chosen.length) return;
    event.preventDefault();
    bring(chosen.map((file) => ({ file, fromFolder: false })));
  });

  const list = made("ul", "uploads");
  list.setAttribute("aria-live", "polite");
  const sent = made("div", "sent");
  sent.append(list, button(words.dismiss_all, () => clear(...list.querySelectorAll(".refused"))));

  /** Take lines or buttons away. The focus that would go with them goes to the first line left, else to the way in. */
  function clear(...parts) {
    const held = document.activeElement;
    parts.forEach((part) => part.remove());
    if (held.checkVisibility()) return;
    const way = isTalking() ? "#attach button" : "#drop .pick button";
    (list.querySelector("li button:last-child") ?? document.querySelector(way)).focus();
  }

  const homes = {}; // the list's, beside the question and below the zone
  const follow = () => (isTalking() ? homes.talk : (homes.files ?? homes.talk)).append(sent);

  // A tab's parts are made when it is first opened: what sends files stands in the conversation.
  draw.drop = (element, trigger, actions, props, watch) => {
    const zone = made("div", "holder");
    element.replaceChildren(zone, inputs.files, inputs.folder);
    homes.files = element;
    const show = () => morph(zone, props.value?.html ?? "");
    show();
    watch("value", show);
    follow();
  };

  draw.uploads = (element, trigger, actions, props, watch) => {
    homes.talk = element;
    element.replaceChildren(sent);
    const tabs = { attributes: true, attributeFilter: ["aria-selected"], subtree: true };
    new MutationObserver(follow).observe(document.querySelector("#tabs"), tabs);
    const waiting = [];
    const running = new Set();
    let ticket; // of the session that the files are for

    function show() {
      if (!props.value) return;
      if (ticket && ticket !== props.value.ticket) [...waiting, ...running].forEach(callOff);
      ticket = props.value.ticket;
      takeUp();
    }
    takeUp = () => {
      if (props.value) take(arrived.splice(0));
    };
    show();
    watch("value", show);
    const unsent = () => JSON.stringify([...list.querySelectorAll("[data-unsent]")].map((line) => line.dataset.unsent));
    const tell = (names) => JSON.parse(names).forEach((name) => say(fill(words.broken, { name }), null, name));
    window.wenqu.keepOver("unsent", unsent, tell);

    function take(chosen) {
      for (const { unreadable: name } of chosen) if (name) say(fill(words.unreadable, { name }));
      const files = chosen.filter(({ file }) => file);
      const fit = files.filter(({ file, fromFolder }) => isKnown(file) || !fromFolder);
      const skipped = files.length - fit.length;
      if (skipped) say(fill(words.skipped, { count: skipped }));
      for (const { file } of fit) add(file, isKnown(file));
    }

    /** Why a file need not be sent at all; what the server alone can know, it says. */
    function refusal(file, isKnown) {
      const values = { name: file.name, size_mb: Math.ceil(file.size / MEGABYTE), limit_mb: file_mb };
      if (!isKnown) return fill(words.unsupported_file, values);
      if (!file.size) return fill(words.empty_file, values);
      if (file.size > file_mb * MEGABYTE) return fill(words.file_too_large, values);
      if (file.size > props.value.left) return fill(words.quota_exceeded, { limit_mb: quota_mb });
      return "";
    }

    /** Why a file was not taken; `unsent` names one that is to be sent still, by `again` where it is at hand. */
    function say(sentence, again, unsent) {
      const line = made("li", "refused");
      line.setAttribute("role", "alert");
      if (unsent) line.dataset.unsent = unsent;
      line.append(made("span", "", sentence));
      if (again) line.append(button(words.again, () => (clear(line), again())));
      line.append(button(words.dismiss, () => clear(line)));
      list.append(line);
      list.scrollTop = list.scrollHeight;
    }

    function add(file, isKnown) {
      const reason = refusal(file, isKnown);
      if (reason) return say(reason);
      const line = made("li", "upload");
      line.dataset.unsent = file.name;
      const state = made("small", "", words.waiting);
      const bar = made("span", "bar");
      bar.append(made("i", ""));
      const cancel = button(words.cancel, () => callOff(item));
      const item = { file, line, state, bar: bar.firstChild, cancel };
      cancel.setAttribute("aria-label", `${words.cancel} ${file.name}`);
      line.append(made("span", "name", file.name), state, bar, cancel);
      list.append(line);
      waiting.push(item);
      next();
    }

    function callOff(item) {
      const place = waiting.indexOf(item);
      if (place >= 0) waiting.splice(place, 1);
      clear(item.line);
      item.request?.abort();
    }

    function next() {
      while (running.size < AT_ONCE && waiting.length) send(waiting.shift());
    }

    function send(item) {
      const { name } = item.file;
      const tellFailure = (reason, mayPass = !reason) =>
        say(reason ?? fill(words.broken, { name }), mayPass && (() => add(item.file, true)), mayPass && name);
      const request = new XMLHttpRequest();
      item.request = request;
      running.add(item);
      request.open("POST", "file");
      request.responseType = "json";
      request.setRequestHeader("x-wenqu-ticket", ticket);
      request.setRequestHeader("x-wenqu-name", encodeURIComponent(item.file.name));
      request.upload.onprogress = ({ loaded, total }) => {
        const share = (item.bar.style.width = `${Math.round((100 * loaded) / Math.max(total, 1))}%`);
        item.state.textContent = loaded < total ? fill(words.sending, { share }) : words.arrived;
        // From now on it is stored, whatever becomes of the request: it is deleted among the files.
        if (loaded < total) return;
        clear(item.cancel);
        delete item.line.dataset.unsent;
      };
      request.onload = () => {
        const { status, response } = request;
        if (status === 200) {
          trigger("added");
          // Also of a file that was taken: its content may have been there.
          if (response.message) say(response.message);
        } else tellFailure(response?.error?.message, status >= 500 || !response?.error);
      };
      request.onerror = () => tellFailure();
      request.onloadend = () => {
        clear(item.line);
        running.delete(item);
        next();
      };
      request.send(item.file);
    }
  };
})();
