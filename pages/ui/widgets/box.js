/* The box of the chat: keeps what is typed for each conversation, and sends it once all that belongs to it is there. */

const LOOK_MILLISECONDS = 400;
const LATE_MILLISECONDS = 3000;
const FORM = '[data-testid="stChatInput"]';
const BUTTON = '[data-testid="stChatInputSubmitButton"]';
const CONNECTION = "data-test-connection-state";
const SCRIPT = "data-test-script-state";

const box = () => document.querySelector('[data-testid="stChatInputTextArea"]');
const shown = (attribute) => document.querySelector(`[${attribute}]`)?.getAttribute(attribute);
const isConnected = () => shown(CONNECTION) === "CONNECTED";
const chips = () => document.querySelectorAll(`${FORM} [data-testid="stFileChip"]`).length;
const draftKey = (conversation) => `glassbox-draft-${conversation}`;

function put(area, text) {
  // React reads the value through its own setter; the browser's own one and an event tell it of the change.
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(area, text);
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

function keep(conversation, draft) {
  try {
    if (draft) window.localStorage.setItem(draftKey(conversation), draft);
    else window.localStorage.removeItem(draftKey(conversation));
  } catch {
    // A browser that forbids storage keeps no drafts.
  }
}

function kept(conversation) {
  try {
    return window.localStorage.getItem(draftKey(conversation)) ?? "";
  } catch {
    return "";
  }
}

/* Nothing that was typed and not sent is left, in whichever conversation. */
function erase() {
  try {
    for (const key of Object.keys(window.localStorage)) if (key.startsWith(draftKey(""))) window.localStorage.removeItem(key);
  } catch {
    // There are none.
  }
  if (box()) put(box(), "");
}

/* The conversation that the person has chosen, which the server may not have opened yet. */
const chosen = (state) => state.going ?? state.conversation;

/* Streamlit has one box for all conversations: what was typed for one stays with it, and what was sent is gone. */
function moveDraft(state, area) {
  const before = state.restored;
  // The first question of a new chat was sent: what is typed meanwhile belongs to the chat it has begun.
  const begun = before === "" && document.activeElement === area;
  // The box may still hold what was sent from there.
  if (before !== null) keep(before, begun || area.value === state.answered ? "" : area.value);
  const draft = kept(chosen(state));
  // What is on its way to the server is kept, too, and is no draft.
  if (before === null ? draft && !area.value && !state.sent : draft !== area.value && !begun) put(area, draft);
  state.restored = chosen(state);
}

function keepDraft(state) {
  const area = box();
  if (!area || area.disabled) return;
  if (area.value !== state.answered && state.restored === chosen(state)) state.answered = "";
  if (state.restored !== chosen(state)) moveDraft(state, area);
  else if (area.value !== state.draft && (area.value || !state.sent)) {
    if (area.value !== state.sent) state.sent = "";
    state.draft = area.value;
    keep(chosen(state), area.value);
  }
}

/* What could not be taken, or waited for files that are not loaded, stands in the box again, before what is typed there by now. */
function giveBack(state) {
  const area = box();
  const { mark, text } = state.given;
  if (!mark || mark === state.taken || !area || area.disabled || (state.restored ?? state.conversation) !== state.conversation) return;
  state.taken = mark;
  const typed = area.value === state.answered ? "" : area.value;
  put(area, typed && typed !== text ? `${text}\n${typed}` : text);
}

/* Another chat was chosen: what is typed from now on belongs to it, however long the server takes to open it. */
function leave(event) {
  const link = event.target.closest?.('[data-testid="stSidebar"] :is([class*="st-key-chat-"] a[href], .st-key-new-chat button)');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !box()) return;
  const to = link.href ? new URL(link.href).searchParams.get("c") ?? "" : "";
  if (to === state.conversation) return;
  keepDraft(state);
  state.going = to;
  keepDraft(state);
}

const arrive = () => {
  state.going = null;
};

/* Files were dropped, picked or pasted: Streamlit asks the server for a place for each, and shows none of them before. */
function expectFiles(event) {
  if (!event.target.closest?.(FORM)) return;
  const data = event.type === "change" ? event.target : event.dataTransfer ?? event.clipboardData;
  // How many files a folder has is not known here.
  if ([...(data?.items ?? [])].some((item) => item.webkitGetAsEntry?.()?.isDirectory)) return;
  const files = [...(data?.files ?? [])];
  // A text that was typed or pasted is heard of here, too.
  if (!files.length) return;
  if (!awaited(state)) state.before = chips();
  state.files.push(...files);
}

/* How many files the box was given that it does not show yet. */
function awaited(state) {
  const missing = state.files.length && Math.max(0, state.before + state.files.length - chips());
  if (!missing) state.files = [];
  return missing;
}

/* A file taken out of the box is not waited for. */
function forgetChip(event) {
  if (state.files.length && event.target.closest?.(`${FORM} [data-testid="stFileChipDeleteBtn"]`)) state.before -= 1;
}

/* A place that was asked for over a connection that has ended never comes. Nor does one that is on its way as the server
   begins to draw the page anew: Streamlit then forgets what it has not sent. The files are given to the box once more. */
function giveFilesAgain(state) {
  const missing = awaited(state);
  if (!missing || !isConnected()) {
    Object.assign(state, { cut: Boolean(missing), drawn: 0 });
  } else if (state.cut || (state.drawn && Date.now() - state.drawn > LATE_MILLISECONDS)) {
    const [again, input] = [new DataTransfer(), document.querySelector(`${FORM} input[type="file"]`)];
    for (const file of state.files.slice(-missing)) again.items.add(file);
    Object.assign(state, { cut: false, drawn: 0, files: [] });
    input.files = again.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

const hasFiles = (state) => !awaited(state) && !document.querySelector(`${FORM} [data-testid="stFileChipIconSpinner"]`);

/* Whether what is sent gets through: a browser that was offline may be online before its line to the server is. */
const isOnline = () => navigator.onLine && (!state.offline || isConnected());

const isReady = (state) => isOnline() && state.going === null && hasFiles(state);

/* Streamlit would send the question without the files that it does not take, and says why only under the pointer. */
const refused = () => [...document.querySelectorAll(`${FORM} [data-testid="stFileChip"]:has([data-testid="stFileChipIconError"]) [data-testid="stFileChipName"]`)];

/* Streamlit would empty the box, and show nothing before it finds out itself. */
function tellOffline(state) {
  state.offline = !isOnline();
  tell("glassbox-offline", state.offline && (state.held ? state.until.online : state.until.offline));
}

/* A line below the box, gone where nothing is ``said``. */
function tell(name, said) {
  let note = document.querySelector(`.${name}`);
  if (!said) note?.remove();
  else if (note?.textContent !== said) {
    note?.remove();
    note = document.createElement("div");
    Object.assign(note, { className: name, textContent: said });
    note.setAttribute("role", "status");
    document.querySelector(FORM)?.append(note);
  }
}

function tellRefused(state) {
  const name = refused()[0]?.textContent.trim() ?? "";
  const isRead = state.types.some((type) => name.toLowerCase().endsWith(`.${type}`));
  const said = name && (isRead ? state.until.tried : state.until.known).replace("{name}", () => name);
  tell("glassbox-refused", said);
  return Boolean(said);
}

/* What is sent before its files are there, or its chat is open, is sent as soon as they are: Streamlit would send it
   without them, or into the chat before, or not at all. */
function send(event) {
  const area = box();
  const sends = event.type === "click" ? event.target.closest?.(BUTTON) : event.target === area && event.key === "Enter" && !event.shiftKey && !event.isComposing;
  if (!sends || !area) return;
  const waits = !isReady(state);
  if (!waits && !tellRefused(state)) {
    keepSent(state, area);
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  if (waits) hold(state, Boolean(area.value || state.files.length || chips()));
}

function hold(state, held) {
  // Why it is held is said once: what comes first stays, but without a connection that is said.
  if (!held || !isOnline()) tell("glassbox-held", "");
  else if (!document.querySelector(".glassbox-held")) tell("glassbox-held", hasFiles(state) ? state.until.chat : state.until.files);
  state.held = held;
  tellOffline(state);
}

function sendHeld(state) {
  if (!state.held || !isReady(state)) return;
  hold(state, false);
  // Where a file could not be taken, its chip says why, and the person sees to it.
  if (!refused().length) document.querySelector(BUTTON)?.click();
}

/* Who goes on typing sends it again. */
function goOn(event) {
  if (state.held && event.isTrusted && event.target === box()) hold(state, false);
}

/* What is sent is kept until the server has answered: one that ends in this moment has not heard of it. */
function keepSent(state, area) {
  // While a run is at work, nothing tells that the server has answered.
  if (!area.value || state.working) return;
  state.sent = area.value;
  keep(state.conversation, area.value);
}

/* The server has answered: what was sent is no draft any more, even while the box still holds it. */
function forgetSent(state) {
  if (!state.sent) return;
  state.answered = state.sent;
  state.sent = "";
  keep(state.restored ?? state.conversation, "");
}

const state = { conversation: "", going: null, given: {}, taken: "", restored: null, draft: "", sent: "", answered: "", last: "", working: false, files: [], before: 0, cut: false, drawn: 0, script: "", held: false, offline: false, until: {}, types: [], timer: 0 };

const look = () => {
  if (!box()) Object.assign(state, { files: [], held: false });
  keepDraft(state);
  giveBack(state);
  attendServer();
  sendHeld(state);
  tellRefused(state);
  tellOffline(state);
};

const attendLine = () => {
  tellOffline(state);
  sendHeld(state);
};

/* What was asked for over a connection that has ended is not answered. */
const attendServer = () => {
  if (!isConnected()) arrive();
  if (shown(SCRIPT) === "running" && state.script !== "running" && awaited(state)) state.drawn = Date.now();
  state.script = shown(SCRIPT);
  giveFilesAgain(state);
};
const server = new MutationObserver(attendServer);

const LISTENERS = [
  ["click", leave],
  ["change", expectFiles],
  ["drop", expectFiles],
  ["paste", expectFiles],
  ["click", forgetChip],
  ["click", send],
  ["keydown", send],
  ["input", goOn],
];

export default function ({ data }) {
  if (data.working || data.last !== state.last || data.conversation !== state.conversation) forgetSent(state);
  if (data.conversation !== state.conversation) arrive();
  if (data.erased && data.erased !== state.erased) erase();
  state.erased = data.erased;
  Object.assign(state, { last: data.last, conversation: data.conversation, given: data.returned, working: data.working, until: data.until, types: data.types });
  look();
  window.clearInterval(state.timer);
  state.timer = window.setInterval(look, LOOK_MILLISECONDS);
  server.observe(document.body, { subtree: true, attributes: true, attributeFilter: [CONNECTION, SCRIPT] });
  window.addEventListener("popstate", arrive);
  for (const kind of ["online", "offline"]) window.addEventListener(kind, attendLine);
  for (const [kind, heard] of LISTENERS) document.addEventListener(kind, heard, true);
  return () => {
    window.clearInterval(state.timer);
    server.disconnect();
    window.removeEventListener("popstate", arrive);
    for (const kind of ["online", "offline"]) window.removeEventListener(kind, attendLine);
    for (const [kind, heard] of LISTENERS) document.removeEventListener(kind, heard, true);
  };
}
