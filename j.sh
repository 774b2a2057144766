#!/bin/bash
echo hi $SLURM_ARRAY_TASK_ID; sleep 1
