/* What only the browser can do: remember who it is, copy, say things aloud, give the focus back. */

const COOKIE = "glassbox_visitor";
const YEAR = 365 * 24 * 60 * 60;
const LOOK_MILLISECONDS = 400;
const SHOWN_MILLISECONDS = 1800;
const SETTLE_MILLISECONDS = 1500;
const NEAR_PIXELS = 90;
const PHONE_PIXELS = 768;
// Not so on a phone, whose keyboard would come up with the focus.
const CAN_HOVER = window.matchMedia("(hover: hover)");

const LETTER = /\p{L}/gu;
const FROM_RIGHT = /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/gu;
const ESCAPED = /\\(?=[!-/:-@[-`{-~])/g;
const turned = new WeakMap();

const editor = () => document.querySelector('[class*="st-key-edited-"] textarea');
const box = () => document.querySelector('[data-testid="stChatInputTextArea"]');

/* Have the server set the visitor's cookie. Two tabs that open at once must not be two visitors: the first one wins. */
async function keepVisitor(visitor) {
  const asked = await fetch("glassbox-visitor", { method: "POST", body: visitor }).catch(() => null);
  if (asked?.status === 409) window.location.reload();
  // A host may run the pages without what sets the cookie.
  else if (asked?.status === 404 || asked?.status === 405) {
    const secure = window.location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `${COOKIE}=${visitor}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`;
  }
}

function remember(visitor) {
  if (!visitor || state.visitor === visitor) return;
  state.visitor = visitor;
  // One tab after the other; a page that came without encryption has no locks.
  if (navigator.locks) navigator.locks.request(COOKIE, () => keepVisitor(visitor));
  else keepVisitor(visitor);
}

/* The place where the page writes what is going on is read aloud, without stealing the focus. */
function announce() {
  const place = document.querySelector(".st-key-announcer");
  if (!place || place.getAttribute("aria-live")) return;
  place.setAttribute("aria-live", "polite");
  place.setAttribute("role", "status");
}

/* Code that scrolls within the page is scrolled with the keyboard, too; in dialogs, the browser sees to that. */
function reachCode() {
  for (const code of document.querySelectorAll('[data-testid="stMain"] [data-testid="stCode"] pre')) {
    if (code.scrollHeight > code.clientHeight + 1 && !code.hasAttribute("tabindex")) code.tabIndex = 0;
  }
}

/* A list or a table whose letters are most of them of a script that is read from the right is laid out from there. */
function turnBlocks() {
  for (const block of document.querySelectorAll(".stMarkdown :is(ul, ol, table)")) {
    const text = block.textContent;
    if (turned.get(block) === text.length) continue; // it may grow while it is written
    turned.set(block, text.length);
    if ((text.match(FROM_RIGHT)?.length ?? 0) * 2 > (text.match(LETTER)?.length ?? 0)) block.dir = "rtl";
    else block.removeAttribute("dir");
  }
}

/* A shared chat is found by those who were given its address, and by no search engine. */
function keepUnlisted(unlisted) {
  const known = document.querySelector('meta[name="robots"]');
  if (!unlisted) known?.remove();
  else if (!known) {
    const robots = document.createElement("meta");
    Object.assign(robots, { name: "robots", content: "noindex" });
    document.head.append(robots);
  }
}

function giveFocusBack(state, working) {
  const ended = state.working && !working;
  state.working = working;
  if (ended) focusBox();
}

/* Where nothing has the focus, the box has; not on a phone. */
function focusBox() {
  if (document.activeElement === document.body && CAN_HOVER.matches) box()?.focus({ preventScroll: true });
}

/* In a new chat one can type at once. Who opens an old one may be about to read it. */
function enterBox(state) {
  if (!state.fresh || !box() || box().disabled) return;
  state.fresh = false;
  if (document.querySelector('[role="dialog"]') || !window.getSelection().isCollapsed) return;
  if (CAN_HOVER.matches) document.activeElement.closest(".st-key-new-chat")?.querySelector("button").blur();
  focusBox();
}

/* A menu that was picked from gives the focus back to its button, which may be drawn anew, unless a dialog takes it. */
function keepMenu(event) {
  const picks = event.target.closest?.('[role="menuitem"]') && (event.type === "click" || event.key === "Enter");
  const opener = picks && document.querySelector('button[aria-expanded="true"][aria-haspopup]')?.closest('[class*="st-key-"]');
  const key = opener && [...opener.classList].find((name) => name.startsWith("st-key-"));
  if (key) state.menu = { key, until: Date.now() + SETTLE_MILLISECONDS };
}

function focusMenu(state) {
  if (!state.menu) return;
  if (Date.now() > state.menu.until || document.querySelector('[role="dialog"]')) state.menu = null;
  else if (document.activeElement === document.body) document.querySelector(`.${state.menu.key} button`)?.focus({ preventScroll: true });
}

/* A dialog keeps the focus, also where its button loses it while a file is written: Esc closes it then as before. One
   that was opened by a key has no button to give the focus back to: the box has it then. */
function keepDialog(state) {
  const dialog = document.querySelector('[role="dialog"]');
  if (dialog && document.activeElement === document.body) dialog.focus({ preventScroll: true });
  if (state.dialog && !dialog) focusBox();
  state.dialog = Boolean(dialog);
}

/* The form in which a question is edited takes the focus as it opens, and gives it back to its button. */
function enterEditor(state) {
  const field = editor();
  const run = field ? /st-key-edited-(\w+)/.exec(field.closest('[class*="st-key-edited-"]').className)[1] : "";
  if (run === state.edited) return;
  if (field && CAN_HOVER.matches) {
    field.focus({ preventScroll: true });
    field.setSelectionRange(field.value.length, field.value.length);
  } else if (!field && document.activeElement === document.body) {
    document.querySelector(`.st-key-edit-${state.edited} button`)?.focus({ preventScroll: true });
  }
  state.edited = run;
}

/* Esc leaves the dialog or the form that is open, and nothing behind it: also where the dialog's button has just lost the
   focus, as while a file is written. */
function leave(event) {
  if (event.key !== "Escape" || event.isComposing) return;
  state.dialog ||= Boolean(document.querySelector('[role="dialog"]')); // also one that was looked at too briefly to be seen
  const left =
    event.target === document.body
      ? document.querySelector('[role="dialog"] > button:is([aria-label="Close"], [data-named="Close"])')
      : event.target === editor() && editor().closest('form, [data-testid="stForm"]')?.querySelector('[data-testid="stBaseButton-tertiaryFormSubmit"]');
  if (!left) return;
  event.stopImmediatePropagation();
  left.click();
}

/* A number that is not taken: Streamlit says to screen readers alone what it may be. */
function tellBounds(words) {
  for (const alert of document.querySelectorAll('[data-testid="stNumberInput"] [role="alert"]')) {
    const { min, max } = alert.closest('[data-testid="stNumberInput"]').querySelector("input");
    const bounds = { least: min, most: max };
    // Python's largest numbers stand for none.
    for (const name in bounds) if (bounds[name] === "" || Math.abs(bounds[name]) > Number.MAX_SAFE_INTEGER - 2) delete bounds[name];
    const said = words[Object.keys(bounds).join("")];
    if (said) alert.dataset.bounds = said.replace(/\{(\w+)\}/g, (_, name) => Number(bounds[name]).toLocaleString(document.documentElement.lang));
  }
}

/* Streamlit's own controls have English names for screen readers. Each keeps its own, for when the language changes.
   What a menu is called by is its button's Markdown: the signs that keep that from being read as such are taken out. */
function callByName(names) {
  for (const control of document.querySelectorAll("[aria-label]")) {
    const now = control.getAttribute("aria-label");
    const { named, said } = control.dataset;
    const own = named && now === said ? named : now; // drawn anew, it may have become another control
    const wanted = names[own] ?? own.replace(ESCAPED, "");
    if (own === wanted && !named) continue;
    Object.assign(control.dataset, { named: own, said: wanted });
    if (wanted !== now) control.setAttribute("aria-label", wanted);
  }
}

/* Streamlit sends no form that has such a number: the person is led to it. */
function leadToNumber(event) {
  const sends = event.target.closest?.('[data-testid="stFormSubmitButton"]');
  sends?.closest('[data-testid="stForm"]')?.querySelector('[data-testid="stNumberInput"] input[aria-invalid="true"]')?.focus();
}

/* A menu that was opened takes the focus. Its library first waits for all transitions of the page, and forgets that some were cancelled. */
function enterMenu() {
  const menu = document.querySelector('[data-testid="stMenuButtonBody"] [role="menu"]');
  const focused = document.activeElement;
  if (menu && (focused === document.body || focused?.matches('[aria-haspopup="menu"][aria-expanded="true"]'))) menu.focus({ preventScroll: true });
}

/* The end of a chat is in sight when it is opened and while it grows, until the reader scrolls away from it. */
function keepEndInSight(state, data) {
  const place = document.querySelector('[data-testid="stMain"], [data-testid="stAppScrollToBottomContainer"]');
  if (!place) return;
  // Every other page is read from its top, also right after an answer.
  if (!data.grows) {
    Object.assign(state, { seen: "", sticks: false, until: 0, wasWorking: false });
    state.observer?.disconnect();
    return;
  }
  // A run may have ended before it is drawn, and is then never seen at work.
  const opens = state.seen !== data.conversation || state.begun !== data.begun;
  if (opens || data.working !== state.wasWorking) state.until = Date.now() + SETTLE_MILLISECONDS;
  if (opens || (data.working && !state.wasWorking)) state.sticks = Boolean(data.conversation);
  if (opens && !data.conversation) place.scrollTop = 0; // a new chat is read from its top
  state.begun = data.begun;
  state.seen = data.conversation;
  state.wasWorking = data.working;
  if (state.place !== place) {
    state.place = place;
    const reader = () => {
      state.until = 0;
      state.sticks = place.scrollHeight - place.scrollTop - place.clientHeight < NEAR_PIXELS;
    };
    for (const kind of ["wheel", "touchmove", "keyup", "mouseup"]) place.addEventListener(kind, reader, { passive: true });
  }
  const follow = () => {
    if (state.sticks && (state.wasWorking || Date.now() < state.until)) place.scrollTop = place.scrollHeight;
  };
  follow();
  state.observer?.disconnect();
  // Once a frame: asked after each change, the browser lays out the page each time.
  let asked = false;
  const inFrame = () => {
    asked = false;
    follow();
  };
  state.observer = new MutationObserver(() => {
    if (!asked) requestAnimationFrame(inFrame);
    asked = true;
  });
  state.observer.observe(place, { childList: true, subtree: true, characterData: true });
}

/* On a phone the sidebar lies over the page: what was chosen in it is to be seen. */
function uncoverPage(event) {
  const chosen = event.target.closest?.('[data-testid="stSidebar"] a[href], [data-testid="stSidebar"] .st-key-new-chat button');
  if (!chosen || window.innerWidth > PHONE_PIXELS || event.ctrlKey || event.metaKey || event.shiftKey) return;
  document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
}

/* An open sidebar that is left on a phone would lie over the page at the next visit: that it is open is not kept there. */
function forgetSidebar() {
  if (window.innerWidth > PHONE_PIXELS) return;
  for (const key of Object.keys(window.localStorage)) if (key.startsWith("stSidebarCollapsed")) window.localStorage.removeItem(key);
}

/* What unfolds is there at once for whom asked their system for less motion: Streamlit moves it by a script, which no style
   reaches, for half a second and again for what is drawn in it later. */
const { animate } = Element.prototype;

function unfold(frames, options) {
  const atOnce = frames?.height && window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  return animate.call(this, frames, atOnce ? { ...options, duration: 1 } : options);
}

async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without https there is no clipboard; an older way still works.
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/* A copy button carries its text, or the conversation whose address it copies. */
async function copy(event) {
  const button = event.target.closest?.(".glassbox-copy");
  if (!button || button.dataset.busy) return;
  const { text, conversation, icon, label, done: copied, failed } = button.dataset;
  const address = `${window.location.origin}${window.location.pathname}?c=${conversation}`;
  const done = await write(conversation ? address : text);
  const show = (name, words) => {
    button.querySelector(".icon").textContent = name;
    button.querySelector(".text").textContent = words;
  };
  button.dataset.busy = "yes";
  show(done ? "check" : "error", done ? copied : failed);
  window.setTimeout(() => {
    show(icon, label);
    delete button.dataset.busy;
  }, SHOWN_MILLISECONDS);
}

const state = { visitor: "", sticks: false, until: 0, seen: "", begun: "", wasWorking: false, place: null, observer: null, working: false, menu: null, dialog: false, edited: "", fresh: false, wasFresh: false, timer: 0 };

// The style that comes with the page's first elements is there already where the page's HTML had it, and a browser would
// try each of its rules twice. That of the HTML stays: it is there on every page, and has the last word.
const keepOneStyle = () => {
  if (!document.getElementById("first-paint")) return;
  for (const style of document.querySelectorAll("style:not(#first-paint)")) {
    if (style.sheet && style.textContent.includes(".st-key-announcer")) style.sheet.disabled = true;
  }
};

export default function ({ data }) {
  keepOneStyle();
  // The page is drawn: its sidebar is there, or it has none.
  document.getElementById("first-place")?.remove();
  remember(data.visitor);
  document.documentElement.lang = data.language;
  keepUnlisted(data.unlisted);
  // A chat without a turn that was not there before: the page was opened, or a new chat begun.
  const fresh = data.grows && !data.conversation;
  if (fresh !== state.wasFresh) state.fresh = fresh;
  state.wasFresh = fresh;
  keepEndInSight(state, data);
  giveFocusBack(state, data.working);
  const look = () => {
    announce();
    reachCode();
    turnBlocks();
    focusMenu(state);
    keepDialog(state);
    enterEditor(state);
    enterBox(state);
    enterMenu();
    tellBounds(data.bounds);
    callByName(data.names);
  };
  look();
  window.clearInterval(state.timer);
  state.timer = window.setInterval(look, LOOK_MILLISECONDS);
  Element.prototype.animate = unfold;
  document.addEventListener("click", copy);
  document.addEventListener("click", uncoverPage);
  document.addEventListener("click", leadToNumber);
  document.addEventListener("click", keepMenu, true);
  document.addEventListener("keydown", keepMenu, true);
  window.addEventListener("keydown", leave, true);
  window.addEventListener("pagehide", forgetSidebar);
  return () => {
    window.clearInterval(state.timer);
    Element.prototype.animate = animate;
    document.removeEventListener("click", copy);
    document.removeEventListener("click", uncoverPage);
    document.removeEventListener("click", leadToNumber);
    document.removeEventListener("click", keepMenu, true);
    document.removeEventListener("keydown", keepMenu, true);
    window.removeEventListener("keydown", leave, true);
    window.removeEventListener("pagehide", forgetSidebar);
    state.observer?.disconnect();
  };
}
