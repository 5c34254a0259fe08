// The slider of time: it moves the field beside it, and asks when it is let go.
for (const slider of document.querySelectorAll("input[data-moment]")) {
  const field = slider.form.elements.at;
  slider.addEventListener("input", () => { field.value = new Date(slider.value * 1000).toISOString().slice(0, 16); });
  slider.addEventListener("change", () => slider.form.requestSubmit());
}
