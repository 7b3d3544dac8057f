// On a small screen, the way back lays away what covers the page, before it leads away from the page.
(() => {
  const { isNarrow, root } = window.wenqu;
  const has = (name) => root.classList.contains(name);

  /** What lays away that which covers the page; nothing where all of it is seen. */
  function cover() {
    if (isNarrow("phone") && has("sheet-open")) {
      const enlarged = document.querySelector("dialog.reader[open]");
      return () => (enlarged ? enlarged.close() : window.wenqu.raise(false));
    }
    if (isNarrow("tablet") && has("menu-open")) return () => document.querySelector("#menu button").click();
    if (isNarrow("tablet") && window.wenqu.isInspecting()) return window.wenqu.closeFile;
    return null;
  }
  window.wenqu.cover = cover;

  // Of the browser's history, an entry of its own stands for what covers the page.
  let isLeaving = false;
  function follow() {
    if (isLeaving || Boolean(cover()) === Boolean(history.state?.covered)) return;
    if (cover()) history.pushState({ covered: true }, "");
    else {
      isLeaving = true;
      history.back();
    }
  }
  window.addEventListener("popstate", () => {
    if (!isLeaving) cover()?.();
    isLeaving = false;
    follow();
  });
  // Of what one press lays away and what it opens, only the end counts.
  let timer;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(follow);
  };
  new MutationObserver(soon).observe(root, { attributes: true, attributeFilter: ["class"] });
  // A page that is loaded anew is not covered.
  if (history.state?.covered) history.replaceState(null, "");
})();
