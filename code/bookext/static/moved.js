// @ts-check
// An address of an earlier edition: follows the link for its name, or the first one on a page that is gone.
(() => {
  "use strict";

  function follow() {
    const name = decodeURIComponent(location.hash.slice(1));
    const named = name && document.getElementById(name);
    const place = named || document.querySelector(".gone .moved > li");
    const link = place instanceof HTMLElement && place.matches(".moved > li") && place.querySelector("a");
    if (!link) return;
    const to = new URL(link.href);
    to.search = location.search; // the setting of a figure
    location.replace(to);
  }
  addEventListener("hashchange", follow);
  follow();
})();
