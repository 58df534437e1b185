/** The division of arrays into splits, for engines that compute on many machines. */
@NullMarked
package dev.zarrreactive.spark.partition;

import org.jspecify.annotations.NullMarked;
