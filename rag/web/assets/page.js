// Runs before Gradio's own scripts. The server renders; this only reports what is clicked and remembers how the page is worn.
(() => {
  const { language: fallback, sentences } = window.wenquValues;
  const cookie = document.cookie.match(/(?:^|; )wenqu_language=(zh|en)/);
  const language = cookie ? cookie[1] : fallback;
  const words = sentences[language];
  const tag = { zh: "zh-CN", en: "en" }[language];
  const root = document.documentElement;

  // Gradio's own words follow the browser's language; ours is chosen on the page.
  Object.defineProperty(navigator, "language", { get: () => tag });
  Object.defineProperty(navigator, "languages", { get: () => [tag] });
  root.lang = tag;

  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const wear = (theme) => {
    root.dataset.theme = theme;
    document.body?.classList.toggle("dark", theme === "dark");
  };
  wear(localStorage.getItem("wenqu_theme") ?? (prefersDark ? "dark" : "light"));

  const narrow = (width) => window.matchMedia(`(max-width: ${width}px)`).matches;
  const closest = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);

  function ask(sentence, then) {
    const dialog = document.createElement("dialog");
    const line = document.createElement("p");
    line.textContent = sentence;
    const row = document.createElement("div");
    for (const [word, value] of [[words.cancel, ""], [words.confirm, "yes"]]) {
      const button = document.createElement("button");
      button.textContent = word;
      button.className = value;
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

  function report(element, trigger, actions, fields = {}) {
    const { act, confirm } = element.dataset;
    if (!actions.includes(act)) return;
    const send = () => trigger(act, { ...element.dataset, ...fields });
    if (confirm) ask(confirm, send);
    else send();
  }

  function listen(element, trigger, actions) {
    element.addEventListener("click", (event) => {
      const button = closest(event, "button[data-act]");
      if (!button) return;
      report(button, trigger, actions);
      if (button.dataset.act === "open") root.classList.remove("menu-open");
    });
    element.addEventListener("submit", (event) => {
      const form = closest(event, "form[data-act]");
      if (!form) return;
      event.preventDefault();
      report(form, trigger, actions, Object.fromEntries(new FormData(form)));
    });
  }
  window.wenqu = { listen };

  function showSource(number) {
    const card = document.querySelector(`#sources [data-source="${number}"]`);
    if (!card) return;
    card.closest("details")?.setAttribute("open", "");
    document.querySelectorAll("#sources .shown").forEach((other) => other.classList.remove("shown"));
    card.classList.add("shown");
    root.classList.add("sheet-open");
    card.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  function copy(button) {
    const text = button.closest(".answer").querySelector(".prose").innerText;
    navigator.clipboard?.writeText(text).then(() => {
      const before = button.textContent;
      button.textContent = words.copied;
      setTimeout(() => (button.textContent = before), 1500);
    });
  }

  const actions = {
    menu: () => root.classList.toggle(narrow(1179) ? "menu-open" : "menu-closed"),
    theme: () => {
      const theme = root.dataset.theme === "dark" ? "light" : "dark";
      localStorage.setItem("wenqu_theme", theme);
      wear(theme);
    },
    language: () => {
      const other = language === "zh" ? "en" : "zh";
      document.cookie = `wenqu_language=${other}; path=/; max-age=31536000; samesite=lax`;
      location.reload();
    },
  };

  document.addEventListener("click", (event) => {
    const button = closest(event, "[data-page], [data-cite], [data-sheet], [data-copy], .source, #new-conversation");
    if (closest(event, ".badge") === null) document.querySelector(".badge[open]")?.removeAttribute("open");
    if (!button) {
      const inside = closest(event, "#sidebar, #desk-sources, dialog");
      if (!inside) root.classList.remove("menu-open", "sheet-open");
      return;
    }
    const { page, cite, sheet, copy: copies } = button.dataset;
    if (page) actions[page]();
    else if (cite) showSource(cite);
    else if (sheet !== undefined) root.classList.add("sheet-open");
    else if (copies !== undefined) copy(button);
    else if (button.id === "new-conversation") root.classList.remove("menu-open");
    else button.classList.toggle("shown");
  });

  // The Enter that picks a word in a Chinese input method must not send the question.
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Enter") return;
      if (event.isComposing || event.keyCode === 229) event.stopPropagation();
      else if (event.target.matches(".source")) event.target.click();
    },
    true,
  );

  function follow(thread) {
    let atEnd = true;
    thread.addEventListener("scroll", () => {
      atEnd = thread.scrollHeight - thread.scrollTop - thread.clientHeight < 80;
    });
    new MutationObserver(() => {
      const running = thread.querySelector('.live') !== null;
      if (running && !root.classList.contains("answering")) atEnd = true;
      root.classList.toggle("answering", running);
      if (atEnd) thread.scrollTop = thread.scrollHeight;
    }).observe(thread, { childList: true, subtree: true, characterData: true, attributes: true });
  }

  // Gradio builds the page in its own time, and sets its own theme class while doing so.
  function dress() {
    const dark = root.dataset.theme === "dark";
    if (document.body.classList.contains("dark") !== dark) document.body.classList.toggle("dark", dark);
    for (const [name, word] of [["submit-button", words.send], ["stop-button", words.stop]]) {
      document.querySelector(`#question .${name}:not([aria-label])`)?.setAttribute("aria-label", word);
    }
    const thread = document.getElementById("thread");
    if (thread && !thread.dataset.followed) {
      thread.dataset.followed = "";
      follow(thread);
    }
  }
  document.addEventListener("DOMContentLoaded", () => {
    dress();
    const watched = { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] };
    new MutationObserver(dress).observe(document.body, watched);
  });
})();
