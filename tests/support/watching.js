// Put into the page by tests/support/browser.py: knows of every run of the script that the page has asked the server for.
// The state that the page shows says nothing between a click and the beginning of the run that it asks for, nor
// between a run that ends in another and that one.
(() => {
  if (window.glassboxRested) return;
  // Numbers of fields in Streamlit's BackMsg, ClientState and ForwardMsg.
  const RERUN_SCRIPT = 11, IS_AUTO_RERUN = 6, NEW_SESSION = 4, SCRIPT_FINISHED = 6;
  const EARLY_FOR_RERUN = 2;
  // What is asked of a part of the page that is gone by then is not answered.
  const MOST_MILLISECONDS = 8000;
  // A page that is opened asks for a run as soon as it is connected; until that has begun nothing is drawn, however long
  // a busy machine takes.
  let opened = false, asked = true, askedAt = performance.now(), running = false, restedSince = 0;

  // The fields of a message: number -> value, of numbers and of what has a length.
  const fields = bytes => {
    const found = new Map();
    let at = 0;
    const number = () => {
      let value = 0, byte, weight = 1;
      do {
        byte = bytes[at++];
        value += (byte & 127) * weight;
        weight *= 128;
      } while (byte > 127);
      return value;
    };
    while (at < bytes.length) {
      const tag = number(), kind = tag % 8;
      let value = kind === 0 || kind === 2 ? number() : 0;
      const length = { 0: 0, 1: 8, 2: value, 5: 4 }[kind];
      if (kind === 2) value = bytes.subarray(at, at + length);
      found.set((tag - kind) / 8, value);
      at += length;
    }
    return found;
  };

  const ask = () => [asked, askedAt] = [true, performance.now()];
  const cut = () => running = false;
  const heard = ({ data }) => {
    if (!(data instanceof ArrayBuffer)) return;
    const message = fields(new Uint8Array(data));
    if (message.has(NEW_SESSION)) [opened, asked, running] = [true, false, true];
    if (message.has(SCRIPT_FINISHED)) {
      running = false;
      if (message.get(SCRIPT_FINISHED) === EARLY_FOR_RERUN) ask();
    }
  };

  const known = new WeakSet(), send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    if (!known.has(this)) {
      this.addEventListener("message", heard);
      this.addEventListener("close", cut);
    }
    known.add(this);
    const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
    const run = bytes instanceof Uint8Array ? fields(bytes).get(RERUN_SCRIPT) : undefined;
    // What the page asks for by itself, again and again, is nothing to wait for.
    if (run && !fields(run).get(IS_AUTO_RERUN)) ask();
    return send.call(this, data);
  };

  // While a step unfolds, what is under the pointer as it is pressed is not what is there as it is released.
  const unfolding = () => document.getAnimations().some(
    ({ effect, playState }) => playState === "running" && effect?.getKeyframes().some(frame => "height" in frame));

  // For how many milliseconds the page has been seen at rest.
  window.glassboxRested = () => {
    const shown = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState;
    // Stands for a part of the page whose program is still on its way.
    const empty = document.querySelector("[data-testid=stSkeleton]");
    if (opened && performance.now() - askedAt > MOST_MILLISECONDS) asked = false;
    if (asked || running || empty || shown !== "notRunning" || unfolding()) restedSince = 0;
    else restedSince ||= performance.now();
    return restedSince ? performance.now() - restedSince : 0;
  };
})();
