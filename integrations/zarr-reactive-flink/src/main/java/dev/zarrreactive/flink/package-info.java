/** Arrays and datasets as tables of Apache Flink. */
@NullMarked
package dev.zarrreactive.flink;

import org.jspecify.annotations.NullMarked;
