// The deals of evenings that the server does not have yet, in the browser's own store: they outlive a reload and a phone
// that goes out. Where the browser stores nothing, or has no room, they wait in the page, as long as it is open.
const opened = new Promise((done, failed) => {
  const asked = indexedDB.open('schafkopf-evenings', 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore('queue', { keyPath: 'at', autoIncrement: true });
  asked.onsuccess = () => done(asked.result);
  asked.onerror = () => failed(asked.error);
}).catch(() => null);
async function queue(mode, act) {
  const db = await opened;
  return db && new Promise((done, failed) => {
    const work = db.transaction('queue', mode, { durability: 'strict' });
    const asked = act(work.objectStore('queue'));
    work.oncomplete = () => done(asked.result);
    work.onerror = work.onabort = () => failed(work.error);
  });
}
const held = new Map(); // what is in no store, by a moment of the page's own
let last = 0;
function hold(entry) {
  const at = `page ${++last}`;
  held.set(at, { ...entry, at });
  return at;
}
const stored = async () => (await queue('readonly', store => store.getAll()).catch(() => null)) ?? [];
export const holds = () => held.size > 0;
export const waiting = async evening => [...await stored(), ...held.values()].filter(each => each.evening === evening);
export const add = async entry => (await queue('readwrite', store => store.add(entry)).catch(() => null)) ?? hold(entry);
export const remove = async at => held.delete(at) || queue('readwrite', store => store.delete(at));
