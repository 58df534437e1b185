/** Datasets: arrays of a group with named dimensions, coordinates and decoded values. */
@NullMarked
package dev.zarrreactive.dataset;

import org.jspecify.annotations.NullMarked;
