import 'bootstrap';
import 'bootstrap/dist/css/bootstrap.css';

window.actions = [];
document.body.insertAdjacentHTML(
  'beforeend',
  `<h1 id="heading">Lamps</h1>
<div class="dropdown d-inline-block">
  <button class="btn btn-secondary dropdown-toggle" id="menu" data-bs-toggle="dropdown">Actions</button>
  <ul class="dropdown-menu">
    <li><button class="dropdown-item">Copy</button></li>
    <li><button class="dropdown-item" id="rename" data-bs-toggle="modal" data-bs-target=".modal">Rename</button></li>
  </ul>
</div>
<div class="modal" tabindex="-1" aria-label="Rename">
  <form class="modal-dialog modal-content p-3">
    <input id="name" class="form-control" aria-label="Name">
    <button id="save" class="btn btn-primary" data-bs-dismiss="modal">Save</button>
  </form>
</div>
<div class="dropdown d-inline-block">
  <button class="btn btn-secondary dropdown-toggle" id="color" data-bs-toggle="dropdown">Color</button>
  <ul class="dropdown-menu">
    <li><button class="dropdown-item">Red</button></li>
    <li><button class="dropdown-item" id="blue">Blue</button></li>
  </ul>
</div>
<button class="btn btn-secondary" id="details" data-bs-toggle="collapse" data-bs-target="#text">Details</button>
<div class="collapse" id="text"><button class="btn btn-secondary" id="agree">Agree</button></div>`,
);
const on = (selector: string, type: string, listener: (event: Event) => void) =>
  document.querySelector(selector)?.addEventListener(type, listener);
on('form', 'submit', event => {
  event.preventDefault();
  window.actions.push('submit');
});
on('#blue', 'click', () => window.actions.push('blue'));
on('#agree', 'click', () => window.actions.push('agree'));
