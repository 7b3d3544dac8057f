// What a page that is loaded anew has of the one before: its reader wanted it so, or its server or the line was away.
(() => {
  const { openTab } = window.wenqu;
  const pieces = []; // each with its name, how it is read off the page, and how it is given back
  const stored = (name) => `wenqu_${name}`;
  let isBack = false;

  window.wenqu.keepOver = (name, read, give) => pieces.push({ name, read, give });
  /** The page shows what there is: it gets what the reader had besides. */
  window.wenqu.giveBack = () => {
    if (isBack) return;
    isBack = true;
    for (const { name, give } of pieces) {
      const kept = sessionStorage.getItem(stored(name));
      if (kept) give(kept);
    }
  };
  window.addEventListener("pagehide", () => {
    if (isBack) for (const { name, read } of pieces) sessionStorage.setItem(stored(name), read());
  });

  // Who stays on the page stays in the tab: it is opened before anything is seen of another one.
  const stays = performance.getEntriesByType("navigation")[0]?.type !== "navigate";
  const tabs = () => [...document.querySelectorAll('#tabs [role="tab"]')];
  window.wenqu.keepOver("tab", () => tabs().findIndex((tab) => tab.ariaSelected === "true"), () => {});
  const place = Number(sessionStorage.getItem(stored("tab")));
  const opening = new MutationObserver(() => {
    if (!tabs().length) return;
    opening.disconnect();
    if (place > 0 && stays) openTab(place);
  });
  opening.observe(document, { childList: true, subtree: true });
})();
