import { byId, checkSize, onDrop } from "./common.js";

const inputs = ["files", "reference"].map(byId);

byId("form").addEventListener("submit", (event) => {
  try {
    for (const file of inputs.flatMap((input) => [...input.files])) checkSize(file);
  } catch (error) {
    event.preventDefault();
    byId("problem").textContent = error.message;
    byId("problem").hidden = false;
    return;
  }
  byId("submit").disabled = true;
  byId("status").textContent = "Measuring, comparing and drawing. This may take a minute …";
});

onDrop(byId("drop"), (file, all) => {
  const taken = new DataTransfer();
  for (const each of all) taken.items.add(each);
  byId("files").files = taken.files;
});

// A page that the browser shows again after "back" can be sent again.
window.addEventListener("pageshow", () => {
  byId("submit").disabled = false;
  byId("status").textContent = "";
});
