/** A program on the module path. */
module sample.modular {
  requires dev.zarrreactive.core;
  requires dev.zarrreactive.dataset;
}
