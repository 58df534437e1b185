/** The division of arrays into splits, for engines that compute on many machines. */
@NullMarked
package dev.zarrreactive.partitioning;

import org.jspecify.annotations.NullMarked;
