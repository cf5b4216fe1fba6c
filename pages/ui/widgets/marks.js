/* The marks of an answer are links to #claim-verdict-step-run-number, with a hint in their title. Here they become
   buttons: a card while the pointer or the focus is on one, the place itself by a click. */

const MARKS = 'a:is([href^="#claim-"], [href^="#part-"], [href^="#row-"])';
const VALUE = "\u2063";
const LEAVE_MILLISECONDS = 180;
const EDGE_PIXELS = 8;

const state = { card: null, mark: null, leaving: 0, observer: null, open: () => {} };

const markAt = (place) => place?.closest?.(MARKS) ?? null;

/* Streamlit draws the links; what is added here stays as long as the link does. */
function dress(mark) {
  const target = mark.getAttribute("href");
  const hint = mark.title;
  if (!hint && mark.dataset.known === target) return;
  const [kind, verdict, step] = target.slice(1).split("-");
  mark.dataset.known = target;
  mark.dataset.hint = hint;
  mark.removeAttribute("title");
  mark.setAttribute("role", "button");
  mark.setAttribute("aria-haspopup", "dialog");
  if (kind === "part") {
    mark.tabIndex = -1;
    return;
  }
  if (verdict === "seen" && step !== "0") mark.dataset.step = step;
  const [said, ...more] = hint.replaceAll(VALUE, "").split("\n");
  const words = mark.textContent.replaceAll("\u2060", "");
  if (said) mark.setAttribute("aria-label", words ? `${words}. ${said}` : said);
  if (more.length) mark.setAttribute("aria-description", more.join(". "));
}

function dressAll() {
  for (const mark of document.querySelectorAll(MARKS)) dress(mark);
  // A place that is shown is brought into sight inside its text.
  for (const value of document.querySelectorAll(".glassbox-observation mark:first-of-type:not([data-shown])")) {
    const text = value.closest(".glassbox-observation");
    if (!text.clientHeight) continue;
    value.dataset.shown = "yes";
    // By the layout, not by what is drawn: a dialog that opens is still smaller than it will be.
    let [top, left, box] = [0, 0, value];
    for (; box && box !== text && text.contains(box); box = box.offsetParent) {
      top += box.offsetTop;
      left += box.offsetLeft;
    }
    text.scrollTop = top - (box === text ? 0 : text.offsetTop) - text.clientHeight / 3;
    text.scrollLeft = left + value.offsetWidth - (box === text ? 0 : text.offsetLeft) - text.clientWidth * 0.8;
  }
}

function line(text) {
  const paragraph = document.createElement("p");
  paragraph.dir = "auto";
  text.split(VALUE).forEach((part, index) => {
    const piece = document.createElement(index % 2 ? "mark" : "span");
    piece.textContent = part;
    if (part) paragraph.append(piece);
  });
  return paragraph;
}

function hide() {
  window.clearTimeout(state.leaving);
  state.card?.remove();
  state.card = state.mark = null;
}

function show(mark) {
  window.clearTimeout(state.leaving);
  if (state.mark === mark) return;
  hide();
  dress(mark);
  if (!mark.dataset.hint) return;
  const card = document.createElement("div");
  const page = window.getComputedStyle(document.querySelector('[data-testid="stApp"]'));
  card.className = "glassbox-card";
  card.setAttribute("aria-hidden", "true");
  Object.assign(card.style, { color: page.color, backgroundColor: page.backgroundColor, fontFamily: page.fontFamily });
  card.append(...mark.dataset.hint.split("\n").map(line));
  document.body.append(card);
  Object.assign(state, { card, mark });
  place();
}

function place() {
  const { card, mark } = state;
  const [first] = mark.getClientRects();
  const under = first.bottom + card.offsetHeight + EDGE_PIXELS < window.innerHeight;
  const left = Math.min(first.left, document.documentElement.clientWidth - card.offsetWidth - EDGE_PIXELS);
  card.style.left = `${Math.max(EDGE_PIXELS, left)}px`;
  card.style.top = `${under ? first.bottom + 4 : Math.max(EDGE_PIXELS, first.top - card.offsetHeight - 4)}px`;
}

/* A page scrolls by itself, too, and the focus moves while the pointer rests: the card stays where its mark is held. */
const isHeld = () => Boolean(state.mark?.isConnected && state.mark.matches(":hover, :focus-visible"));

function scrolled() {
  if (isHeld()) place();
  else hide();
}

function leave() {
  window.clearTimeout(state.leaving);
  state.leaving = window.setTimeout(hide, LEAVE_MILLISECONDS);
}

function over(event) {
  const mark = markAt(event.target);
  if (mark && event.pointerType !== "touch") show(mark);
  else if (state.card?.contains(event.target)) window.clearTimeout(state.leaving);
  else if (state.card) leave();
}

function focus(event) {
  const mark = markAt(event.target);
  if (mark?.matches(":focus-visible")) show(mark);
  else if (!isHeld()) hide();
}

function open(event) {
  const mark = markAt(event.target);
  if (!mark) return;
  event.preventDefault();
  hide();
  state.open(mark.getAttribute("href").split("-").slice(3).join("-"));
}

function key(event) {
  if (event.key === "Escape") hide();
  if (event.key === " " && markAt(event.target)) open(event);
}

const HEARD = { click: open, keydown: key, pointerover: over, focusin: focus };

export default function ({ setTriggerValue }) {
  state.open = (claim) => setTriggerValue("claim", claim);
  for (const [kind, act] of Object.entries(HEARD)) document.addEventListener(kind, act);
  document.addEventListener("scroll", scrolled, { capture: true, passive: true });
  dressAll();
  state.observer?.disconnect();
  state.observer = new MutationObserver(dressAll);
  state.observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["href", "title"] });
  return () => {
    for (const [kind, act] of Object.entries(HEARD)) document.removeEventListener(kind, act);
    document.removeEventListener("scroll", scrolled, { capture: true });
    state.observer?.disconnect();
    hide();
  };
}
