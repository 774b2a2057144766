#include "isa/vocabulary.h"
