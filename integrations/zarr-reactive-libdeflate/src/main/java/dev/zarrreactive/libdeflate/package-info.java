/** Inflaters of libdeflate, a library of the system, called by JNA. */
@NullMarked
package dev.zarrreactive.libdeflate;

import org.jspecify.annotations.NullMarked;
