/* Beside a text that is selected in a turn stands a button that makes a note of it. What is copied is the text alone. */

const TURN = '[data-testid="stChatMessage"]';
const REST_MILLISECONDS = 250;
const EDGE_PIXELS = 8;
const MOST_CHARACTERS = 2000;
/* Keep words from being read as something else, and are no part of them. */
const UNSEEN = /[\u2060\u2063]/g;
const MARKS = 'a:is([href^="#claim-"], [href^="#part-"], [href^="#row-"])';

const state = { button: null, timer: 0, label: "", remember: () => {} };

function hide() {
  window.clearTimeout(state.timer);
  state.button?.remove();
  state.button = null;
}

const turnOf = (node) => (node instanceof Element ? node : node?.parentElement)?.closest(TURN);

function selected() {
  const selection = window.getSelection();
  if (!selection || selection.isCollapsed || !selection.rangeCount) return null;
  const turn = turnOf(selection.anchorNode);
  const text = selection.toString().replace(UNSEEN, "").trim();
  return turn && turn === turnOf(selection.focusNode) && text ? { text, range: selection.getRangeAt(0) } : null;
}

function show() {
  const found = selected();
  if (!found) return;
  const button = document.createElement("button");
  const page = window.getComputedStyle(document.querySelector('[data-testid="stApp"]'));
  button.type = "button";
  button.className = "glassbox-remember";
  button.textContent = state.label;
  Object.assign(button.style, { color: page.color, backgroundColor: page.backgroundColor, fontFamily: page.fontFamily });
  // The selection stays while the button is pressed.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  button.addEventListener("click", () => {
    hide();
    state.remember(found.text.slice(0, MOST_CHARACTERS));
  });
  hide();
  document.body.append(button);
  const rects = found.range.getClientRects();
  const last = rects[rects.length - 1] ?? found.range.getBoundingClientRect();
  const left = Math.min(last.right, document.documentElement.clientWidth - button.offsetWidth - EDGE_PIXELS);
  const top = Math.min(last.bottom + EDGE_PIXELS, window.innerHeight - button.offsetHeight - EDGE_PIXELS);
  button.style.left = `${Math.max(EDGE_PIXELS, left)}px`;
  button.style.top = `${Math.max(EDGE_PIXELS, top)}px`;
  state.button = button;
}

/* A selection that is still being made changes again and again. */
function changed() {
  hide();
  if (selected()) state.timer = window.setTimeout(show, REST_MILLISECONDS);
}

/* Neither what is not seen is copied along, nor links that lead nowhere outside of this page. */
function copy(event) {
  const selection = window.getSelection();
  if (!selection?.rangeCount || selection.isCollapsed || !turnOf(selection.anchorNode)) return;
  const copied = document.createElement("div");
  copied.append(selection.getRangeAt(0).cloneContents());
  for (const mark of copied.querySelectorAll(MARKS)) mark.replaceWith(...mark.childNodes);
  event.clipboardData.setData("text/plain", selection.toString().replace(UNSEEN, ""));
  event.clipboardData.setData("text/html", copied.innerHTML.replace(UNSEEN, ""));
  event.preventDefault();
}

function key(event) {
  if (event.key === "Escape") hide();
}

export default function ({ data, setTriggerValue }) {
  state.label = data.label;
  state.remember = (text) => setTriggerValue("text", text);
  document.addEventListener("selectionchange", changed);
  document.addEventListener("copy", copy);
  document.addEventListener("keydown", key);
  document.addEventListener("scroll", hide, { capture: true, passive: true });
  return () => {
    document.removeEventListener("selectionchange", changed);
    document.removeEventListener("copy", copy);
    document.removeEventListener("keydown", key);
    document.removeEventListener("scroll", hide, { capture: true });
    hide();
  };
}
