/* Keys of the page: what a person reaches for in a chat, without the mouse. They are listed under "?". */

const WRITES = "input, textarea, select, [contenteditable=true]";
const LOOK_MILLISECONDS = 100;
const MOST_LOOKS = 20;

const state = { list: () => {} };

const first = (selector) => document.querySelector(selector);
const box = () => first('[data-testid="stChatInputTextArea"]');

/* The box has the focus once the new chat is there, wherever it was; it may be drawn anew meanwhile. */
function newChat() {
  first(".st-key-new-chat button")?.click();
  const from = document.activeElement;
  let looks = MOST_LOOKS;
  const look = () => {
    const now = document.activeElement;
    if (now !== from && now !== document.body && now !== box()) return;
    if (first(".st-key-welcome")) toBox();
    if (looks--) window.setTimeout(look, LOOK_MILLISECONDS);
  };
  look();
}

function toBox() {
  box()?.focus();
}

/* The field is in the sidebar, which may have to unfold first. */
function toSearch() {
  const field = () => first(".st-key-search input");
  if (!field()?.getClientRects().length) first('[data-testid="stExpandSidebarButton"] button, button[data-testid="stExpandSidebarButton"]')?.click();
  let looks = MOST_LOOKS;
  const look = () => {
    if (field()?.getClientRects().length) field().focus();
    else if (looks--) window.setTimeout(look, LOOK_MILLISECONDS);
  };
  look();
}

function lastStep() {
  const steps = document.querySelectorAll("[data-step] summary");
  const last = steps[steps.length - 1];
  last?.click();
  last?.focus();
  last?.scrollIntoView({ block: "nearest" });
}

const PLAIN = { "/": toBox, o: lastStep, "?": () => state.list() };
const WITH_CONTROL = { k: toSearch };
const WITH_CONTROL_AND_SHIFT = { o: newChat };

function key(event) {
  if (event.defaultPrevented || event.isComposing || event.altKey || event.repeat) return;
  const control = event.ctrlKey || event.metaKey;
  const acts = control ? (event.shiftKey ? WITH_CONTROL_AND_SHIFT : WITH_CONTROL) : PLAIN;
  const act = acts[event.key.length === 1 ? event.key.toLowerCase() : ""];
  if (!act || first('[role="dialog"]') || (!control && event.target.closest?.(WRITES))) return;
  event.preventDefault();
  act();
}

export default function ({ setTriggerValue }) {
  state.list = () => setTriggerValue("asked", "list");
  document.addEventListener("keydown", key);
  return () => document.removeEventListener("keydown", key);
}
