// Settings: what is changed and not yet saved, the way back to a default, and what the page keeps by itself.
(() => {
  const { closest, draw, fragment, listen, root } = window.wenqu;
  const controls = (holder) => [...holder.querySelectorAll("input:not([type=hidden]):not([data-look]), select, textarea")];
  const ticks = (control) => control.type === "checkbox" || control.type === "radio";

  function changed(control) {
    if (ticks(control)) return control.checked !== control.defaultChecked;
    if (control.tagName === "SELECT") return !control.selectedOptions[0]?.defaultSelected;
    return control.value !== control.defaultValue;
  }

  function toDefault(control) {
    if (ticks(control)) control.checked = control.dataset.default === "on";
    else control.value = control.dataset.default;
  }

  const isDefault = (control) =>
    ticks(control) ? control.checked === (control.dataset.default === "on") : control.value === control.dataset.default;

  function mark(form) {
    for (const field of form.querySelectorAll(".field:not(.look)")) {
      const own = controls(field);
      field.classList.toggle("dirty", own.some(changed));
      field.classList.toggle("at-default", own.every(isDefault));
    }
    form.classList.toggle("dirty", form.querySelector(".dirty") !== null);
  }

  // What was refused stands in its fields as if it were stored: what really is, is the form drawn before.
  let stored = "";

  function look(form) {
    const values = { theme: root.dataset.theme, language: root.lang.slice(0, 2) };
    for (const button of form.querySelectorAll("[data-look]")) button.checked = button.value === values[button.name];
  }

  /** What a control that is drawn anew can be found by. */
  function wayTo({ id, name, type, value }) {
    if (id) return `#${id}`;
    if (type === "submit") return "[type=submit]";
    const choice = type === "radio" ? `[value="${CSS.escape(value)}"]` : "";
    return name ? `[name="${name}"][type="${type}"]${choice}` : null;
  }

  /** What is written and not saved, each with the way to its control. */
  function writtenIn(form) {
    const saved = fragment(stored);
    const differs = (control, twin) =>
      twin && !control.disabled && (ticks(control) ? control.checked !== twin.checked : control.value !== twin.value);
    const ways = controls(form).map((control) => [wayTo(control), control]).filter(([way]) => way);
    return ways
      .filter(([way, control]) => differs(control, saved.querySelector(way)))
      .map(([way, { value, checked }]) => [way, value, checked]);
  }

  /** Write it again into a form that is drawn anew. */
  function write(form, written) {
    for (const [way, value, checked] of written) {
      const control = form.querySelector(way);
      if (control) Object.assign(control, ticks(control) ? { checked } : { value });
    }
  }

  // What was written on the page before this one, until the form is drawn. No key: a browser keeps it for the tab.
  let unsaved = "[]";
  const drawnForm = () => document.querySelector("#preferences form");
  function readUnsaved() {
    const form = drawnForm();
    if (!form) return unsaved;
    return JSON.stringify(writtenIn(form).filter(([way]) => form.querySelector(way).type !== "password"));
  }
  function writeUnsaved(written = unsaved) {
    const form = drawnForm();
    unsaved = form ? "[]" : written;
    if (!form) return;
    write(form, JSON.parse(written));
    mark(form);
  }
  window.wenqu.keepOver("unsaved", readUnsaved, writeUnsaved);

  function show(element, { html, quiet }, merges = false) {
    const before = element.querySelector("form");
    if (quiet && before?.matches(merges ? "[data-refused]" : ".dirty, [data-refused]")) return;
    const written = quiet && before ? writtenIn(before) : [];
    const open = new Set([...element.querySelectorAll("details[open]")].map((details) => details.dataset.field));
    const focused = before?.contains(document.activeElement) ? document.activeElement : null;
    const secret = before?.querySelector("[type=password]")?.value;
    const back = focused && wayTo(focused);
    element.innerHTML = html;
    if (!element.querySelector("[data-refused]")) stored = html;
    for (const details of element.querySelectorAll("details")) if (open.has(details.dataset.field)) details.open = true;
    const form = element.querySelector("form");
    // The server sends no key back, not even with what was written beside it.
    if (secret && form.matches("[data-refused]")) form.querySelector("[type=password]").value = secret;
    write(form, written);
    look(form);
    mark(form);
    const [wrong, listed] = [form.querySelector(".wrong"), form.querySelector(".listed")];
    if (wrong) {
      controls(wrong)[0]?.focus({ preventScroll: true });
      wrong.scrollIntoView({ block: "center" });
    } else if (listed) {
      listed.scrollIntoView({ block: "center" });
      listed.querySelector('[value^="openai:"]').focus({ preventScroll: true });
    } else if (back) form.querySelector(back)?.focus({ preventScroll: true });
  }

  // The browser's other tabs have the same settings, and would put back what they still show of them. What is written
  // in one that another has saved meanwhile stays; nobody is typing there.
  const CHANGED = "wenqu_preferences";
  let isOutdated = false;
  let lookAgain = () => (isOutdated = true); // until the tab is opened
  window.addEventListener("storage", ({ key }) => key === CHANGED && lookAgain());

  draw.preferences = (element, trigger, actions, props, watch) => {
    listen(element, trigger, actions);
    let isDrawn = false;
    let merges = false;
    const update = () => {
      if (!props.value?.html) return;
      if (isDrawn && !props.value.quiet) localStorage.setItem(CHANGED, String(props.value.drawn));
      isDrawn = true;
      show(element, props.value, merges);
      writeUnsaved();
      merges = false;
    };
    watch("value", update);
    update();
    lookAgain = () => {
      merges = true;
      trigger("look");
    };
    if (isOutdated) lookAgain();
    element.addEventListener("input", (event) => {
      const chosen = closest(event, "[data-look]");
      const typed = closest(event, ".typed input[type=text]");
      if (typed) typed.parentElement.querySelector("[type=radio]").checked = true;
      if (!chosen) {
        mark(event.target.form);
        return;
      }
      document.querySelector(`#controls [data-page="${chosen.name}"]`)?.click();
      // Another language may not be meant, with an answer that would be lost.
      look(event.target.form);
    });
    element.addEventListener("click", (event) => {
      const busy = closest(event, "[data-busy]");
      if (busy) {
        busy.textContent = busy.dataset.busy;
        busy.disabled = true;
      }
      const button = closest(event, "[data-reset], [data-discard]");
      if (!button) return;
      event.stopPropagation();
      if ("discard" in button.dataset && button.form.matches("[data-refused]")) {
        show(element, { html: stored });
        return;
      }
      if ("discard" in button.dataset) button.form.reset();
      else controls(button.closest(".field")).forEach(toDefault);
      look(button.form);
      mark(button.form);
    });
    // The theme may be changed at the top of the page as well.
    new MutationObserver(() => {
      const form = element.querySelector("form");
      if (form) look(form);
    }).observe(root, { attributeFilter: ["data-theme"] });
  };
})();
