// The evening on the wall: a screen that stays on, where the browser can keep it so, and the whole of it by a tap.
import './evening-live.js';

const awake = async () => { try { await navigator.wakeLock?.request('screen'); } catch { /* the browser may refuse */ } };
document.addEventListener('visibilitychange', () => { if (!document.hidden) awake(); });
awake();

const full = document.getElementById('full');
if (document.fullscreenEnabled) {
  full.hidden = false;
  full.addEventListener('click', () => document.documentElement.requestFullscreen().catch(() => {}));
}
