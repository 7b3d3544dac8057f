// Runs before Gradio's own scripts. The server renders; the scripts report what is done and draw what changes often.
(() => {
  const { language: fallback, sentences } = window.wenquValues;
  const chosen = () => document.cookie.match(/(?:^|; )wenqu_language=(zh|en)/)?.[1] ?? fallback;
  const language = chosen();
  const words = sentences[language];
  const tag = { zh: "zh-CN", en: "en" }[language];
  const root = document.documentElement;

  function keep(choice) {
    const kept = `${choice}; path=/; max-age=31536000`;
    document.cookie = `${kept}; samesite=lax`;
    // In another site's frame a browser keeps only a cookie that asks for no more than to be kept there.
    if (!document.cookie.includes(choice)) document.cookie = `${kept}; samesite=none; secure; partitioned`;
  }

  // The server writes days and hours, which are the reader's.
  keep(`wenqu_zone=${Intl.DateTimeFormat().resolvedOptions().timeZone}`);

  // In another site's frame a browser may refuse to keep anything, and Gradio builds no page without.
  for (const storage of ["localStorage", "sessionStorage"]) {
    try {
      window[storage].getItem("wenqu");
    } catch {
      const kept = new Map();
      const value = { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) };
      Object.defineProperty(window, storage, { value });
    }
  }

  // Gradio's own words follow the browser's language; ours is chosen on the page.
  Object.defineProperty(navigator, "language", { get: () => tag });
  root.lang = tag;
  // Until the turns come, as it was last: the question's field must not wander under the reader's hand.
  root.classList.toggle("welcoming", localStorage.getItem("wenqu_welcoming") !== "no");

  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const wear = (theme) => {
    root.dataset.theme = theme;
    document.body?.classList.toggle("dark", theme === "dark");
  };
  wear(localStorage.getItem("wenqu_theme") ?? (prefersDark ? "dark" : "light"));

  // Where the style sheets lay the page out anew: a phone's sources come up as a sheet; up to a tablet's width, the
  // sidebar and a file that is looked into cover what they stand beside on a screen.
  const WIDEST = { phone: 899, tablet: 1179 };
  const isNarrow = (kind) => window.matchMedia(`(max-width: ${WIDEST[kind]}px)`).matches;
  const closest = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);

  /** Have the sidebar cover the page, or lay it away: it takes the focus, keeps it, and gives it back. */
  function unfold(isOpen) {
    if (root.classList.contains("menu-open") === isOpen) return;
    root.classList.toggle("menu-open", isOpen);
    document.querySelector("#main").inert = isOpen;
    document.querySelector(isOpen ? "#new-conversation" : "#menu button").focus();
  }
  // On a wider screen it stands beside the page.
  window.matchMedia(`(min-width: ${WIDEST.tablet + 1}px)`).addEventListener("change", () => unfold(false));

  function made(tag, className, text = "") {
    const element = document.createElement(tag);
    element.className = className;
    element.textContent = text;
    return element;
  }

  function fragment(html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content;
  }

  // What a reader has unfolded stays so.
  const isKept = (node, name) => node.nodeName === "DETAILS" && name === "open";
  // While another image comes, one would go on showing the former.
  const isOther = (old, wanted) =>
    old.nodeName !== wanted.nodeName || (old.nodeName === "IMG" && old.src !== wanted.src);

  /** Make `node`'s children what `html` says, keeping every node that need not change. */
  function morph(node, html) {
    const fresh = html instanceof Node ? html : fragment(html);
    const [before, after] = [[...node.childNodes], [...fresh.childNodes]];
    after.forEach((wanted, place) => {
      const old = before[place];
      if (!old) node.append(wanted);
      else if (isOther(old, wanted)) old.replaceWith(wanted);
      else if (old.nodeType !== Node.ELEMENT_NODE) {
        if (old.data !== wanted.data) old.data = wanted.data;
      } else {
        for (const { name } of [...old.attributes]) {
          if (!wanted.hasAttribute(name) && !isKept(old, name)) old.removeAttribute(name);
        }
        for (const { name, value } of wanted.attributes) {
          if (old.getAttribute(name) === value) continue;
          old.setAttribute(name, value);
          // A field that was written in shows that still, though it may be another one's by now.
          if (name === "value") old.value = value;
        }
        morph(old, wanted);
      }
    });
    before.slice(after.length).forEach((old) => old.remove());
  }

  function ask(sentence, yes, act, then) {
    const dialog = made("dialog", `ask ${act}`);
    const line = made("p", "", sentence);
    line.id = "asked";
    dialog.setAttribute("aria-labelledby", line.id);
    const row = made("div", "");
    for (const [word, value] of [[words.cancel, ""], [yes ?? words.confirm, "yes"]]) {
      const button = made("button", value, word);
      button.onclick = () => dialog.close(value);
      row.append(button);
    }
    dialog.append(line, row);
    dialog.onclose = () => {
      dialog.remove();
      if (dialog.returnValue === "yes") then();
    };
    document.body.append(dialog);
    dialog.showModal();
  }

  /** What is searched for among the conversations, as the server gets it, which takes no half of an emoji. */
  const sought = () => document.querySelector("#search input")?.value.toWellFormed() ?? "";

  function report(element, trigger, actions, fields = {}) {
    const { act, confirm, yes } = element.dataset;
    if (!actions.includes(act)) return;
    // What is done to an entry of the list leaves it as it is searched.
    // By the time a yes comes, the element may be another entry's: what was asked about is done.
    const told = { sought: sought(), ...element.dataset, ...fields };
    const send = () => trigger(act, told);
    if (confirm) ask(confirm, yes, act, send);
    else send();
  }

  // Only what our own HTML calls an action is reported, and only by parts that expect it.
  function listen(element, trigger, actions) {
    element.addEventListener("click", (event) => {
      const button = closest(event, "button[data-act]");
      if (!button) return;
      const isOpening = button.dataset.act === "open";
      if (isOpening) unfold(false);
      // What is in view already stays, with the answer that is on its way there.
      if (isOpening && button.closest("[aria-current]")) return;
      report(button, trigger, actions, "fields" in button.dataset ? Object.fromEntries(new FormData(button.form)) : {});
      if (!isOpening) return;
      document.querySelectorAll("#search input").forEach((field) => (field.value = ""));
    });
    let pause;
    const typed = (event) => {
      const field = closest(event, "input[data-act]");
      if (!field || event.isComposing) return;
      clearTimeout(pause);
      pause = setTimeout(() => report(field, trigger, actions), 150);
    };
    element.addEventListener("input", typed);
    element.addEventListener("compositionend", typed);
    element.addEventListener("submit", (event) => {
      const form = closest(event, "form[data-act]");
      if (!form) return;
      event.preventDefault();
      report(form, trigger, actions, Object.fromEntries(new FormData(form)));
      if (!form.classList.contains("edit")) return;
      form.hidden = true;
      form.parentElement.querySelector("[data-edit]").focus({ preventScroll: true });
    });
  }

  const openTab = (place) => document.querySelectorAll('#tabs [role="tab"]')[place]?.click();

  // What another page of the browser has chosen, the server writes on this one too: all of it follows when it is looked
  // at again, unless that would cost an answer or a file on its way.
  window.addEventListener("focus", () => {
    if (chosen() !== language && !document.querySelector("#live article, [data-unsent]")) location.reload();
  });

  // Of everything that one tab has deleted, the browser's other tabs would go on showing what they had.
  const forgotten = () => localStorage.setItem("wenqu_forgotten", String(Date.now()));
  window.addEventListener("storage", ({ key }) => key === "wenqu_forgotten" && location.reload());

  // Parts that are drawn in place and no more: they stay open while a download goes on or an answer ends.
  function plain(element, trigger, actions, props, watch) {
    listen(element, trigger, actions);
    watch("value", () => morph(element, props.value?.html ?? ""));
  }

  const draw = { badge: plain, memory: plain };
  window.wenqu = { closest, draw, forgotten, fragment, listen, made, morph, isNarrow, openTab, root, sought, words };

  const actions = {
    menu: () => {
      if (isNarrow("tablet")) unfold(!root.classList.contains("menu-open"));
      else root.classList.toggle("menu-closed");
    },
    theme: () => {
      const theme = root.dataset.theme === "dark" ? "light" : "dark";
      localStorage.setItem("wenqu_theme", theme);
      wear(theme);
    },
    language: () => {
      const speak = () => {
        keep(`wenqu_language=${language === "zh" ? "en" : "zh"}`);
        location.reload();
      };
      if (root.classList.contains("answering")) ask(words.lose_answer, null, "language", speak);
      else speak();
    },
    files: () => openTab(1),
    settings: () => openTab(2),
  };

  document.addEventListener("click", (event) => {
    const button = closest(event, "[data-page]");
    if (closest(event, ".badge") === null) document.querySelector(".badge[open]")?.removeAttribute("open");
    if (button) actions[button.dataset.page]?.(button);
    else if (closest(event, "#new-conversation") || !closest(event, "#sidebar, dialog")) unfold(false);
  });

  function dressMessage(message) {
    // Of its head only the cross is seen: that is no button around a button.
    const head = message.querySelector(".toast-header");
    head.removeAttribute("role");
    head.removeAttribute("tabindex");
    message.querySelector(".toast-close")?.setAttribute("aria-label", words.dismiss);
    // Gradio says this by itself, in English, and loads the page anew once the server answers.
    const text = message.querySelector(".toast-message-text");
    if (text?.textContent.startsWith("Connection to the server was lost")) text.textContent = words.connection_lost;
  }

  // Gradio builds the page in its own time, and sets its own theme class while doing so.
  function dress() {
    const dark = root.dataset.theme === "dark";
    if (document.body.classList.contains("dark") !== dark) document.body.classList.toggle("dark", dark);
    for (const [name, word] of [["submit-button", words.send], ["stop-button", words.stop]]) {
      document.querySelector(`#question .${name}:not([aria-label])`)?.setAttribute("aria-label", word);
    }
    document.querySelectorAll(".toast-body:has(.toast-header[role])").forEach(dressMessage);
    // Nothing is dragged with a finger.
    const field = isNarrow("phone") && document.querySelector("#question textarea");
    if (field && field.placeholder !== words.question) field.placeholder = words.question;
  }
  document.addEventListener("DOMContentLoaded", () => {
    dress();
    const watched = { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] };
    new MutationObserver(dress).observe(document.body, watched);
  });
})();
