// The deals of evenings that the server does not have yet, in the browser's own store: they outlive a reload and a phone
// that goes out.
const opened = new Promise((done, failed) => {
  const asked = indexedDB.open('schafkopf-evenings', 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore('queue', { keyPath: 'at', autoIncrement: true });
  asked.onsuccess = () => done(asked.result);
  asked.onerror = () => failed(asked.error);
});
async function queue(mode, act) {
  const db = await opened;
  return new Promise((done, failed) => {
    const work = db.transaction('queue', mode, { durability: 'strict' });
    const asked = act(work.objectStore('queue'));
    work.oncomplete = () => done(asked.result);
    work.onerror = work.onabort = () => failed(work.error);
  });
}
export const waiting = async evening => (await queue('readonly', store => store.getAll())).filter(each => each.evening === evening);
export const add = entry => queue('readwrite', store => store.add(entry));
export const remove = at => queue('readwrite', store => store.delete(at));
