/**
 * Images of microscopes in OME-Zarr: levels of resolution with axes and physical coordinates,
 * channels, labels, plates and wells.
 */
@NullMarked
package dev.zarrreactive.ome;

import org.jspecify.annotations.NullMarked;
