/** The rules of the house that hold in every module. */
@NullMarked
package dev.zarrreactive.house;

import org.jspecify.annotations.NullMarked;
