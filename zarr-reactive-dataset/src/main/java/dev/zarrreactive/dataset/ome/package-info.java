/**
 * Images of microscopes in OME-Zarr 0.4 and 0.5: levels of resolution with axes and physical
 * coordinates, channels, labels, plates and wells.
 */
@NullMarked
package dev.zarrreactive.dataset.ome;

import org.jspecify.annotations.NullMarked;
