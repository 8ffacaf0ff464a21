// Touch on an element: a tap on its left or right half, a hold, swipes. A mouse and a second finger do nothing here.
const HOLD = 500; // milliseconds
const FAR = 40, STILL = 12; // pixels: a swipe is longer than the one, a tap and a hold shorter than the other

// Calls what is named `tap` (with whether it was the right half), `hold`, `left`, `right`, `up` in `on`.
export function watch(el, on) {
  let start = null;
  const forget = () => {
    clearTimeout(start?.timer);
    start = null;
  };
  const way = ({ clientX, clientY }) => [clientX - start.x, clientY - start.y];
  function ended(event, { clientX }, [x, y], held) {
    const across = Math.abs(x), along = Math.abs(y);
    if (across > FAR && across > 1.5 * along) return on[x < 0 ? 'left' : 'right']?.();
    if (-y > FAR && along > 1.5 * across) return on.up?.();
    if (!on.tap || Math.hypot(x, y) > STILL) return;
    event.preventDefault(); // no click on the card below
    const { left, width } = el.getBoundingClientRect();
    if (!held) on.tap(clientX > left + width / 2);
  }
  el.addEventListener('touchstart', event => {
    forget();
    if (event.touches.length > 1) return;
    const [{ clientX: x, clientY: y }] = event.touches;
    const mine = start = { x, y, held: false };
    mine.timer = setTimeout(() => {
      mine.held = true;
      on.hold?.();
    }, HOLD);
  }, { passive: true });
  el.addEventListener('touchmove', event => { if (start && Math.hypot(...way(event.touches[0])) > STILL) clearTimeout(start.timer); }, { passive: true });
  el.addEventListener('touchend', event => {
    if (!start) return;
    const [touch] = event.changedTouches;
    const [moved, held] = [way(touch), start.held];
    forget();
    ended(event, touch, moved, held);
  });
  el.addEventListener('touchcancel', forget);
  if (on.hold) el.addEventListener('contextmenu', event => { if (start) event.preventDefault(); });
}
