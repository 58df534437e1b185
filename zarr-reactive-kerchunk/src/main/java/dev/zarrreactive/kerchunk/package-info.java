/**
 * References of kerchunk as stores that are read: chunks of Zarr that lie in files of netCDF, HDF5,
 * GRIB or TIFF, and stay there.
 */
@NullMarked
package dev.zarrreactive.kerchunk;

import org.jspecify.annotations.NullMarked;
